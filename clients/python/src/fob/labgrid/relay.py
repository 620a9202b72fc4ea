"""Connections of a listening socket, handed on byte for byte to a line or another socket."""
import fcntl
import logging
import os
import select
import socket
import stat
import termios
import threading
import tty
import typing

from ..errors import FobError

# Majors of ptys.
PTYS = range(136, 144)
log = logging.getLogger("fob.relay")


class End:
    """One end of a connection: a descriptor, and its socket where it is one."""

    def __init__(self, one: typing.Union[socket.socket, int]) -> None:
        self._socket = one if isinstance(one, socket.socket) else None
        self.descriptor = one.fileno() if isinstance(one, socket.socket) else one
        # Blocking, also where a program has set another default for its sockets.
        fcntl.fcntl(self.descriptor, fcntl.F_SETFL, os.O_RDWR)

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.descriptor, data):]

    def finish(self) -> None:
        """Nothing more is written here; a line knows no such thing."""
        if self._socket is not None:
            self._socket.shutdown(socket.SHUT_WR)

    def shut(self) -> None:
        """Wakes who is blocked on it."""
        if self._socket is not None:
            try:
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        else:
            os.close(self.descriptor)


class Relay:
    """Serves a listening socket until close. connect opens the other end, anew for each connection;
    where it fails, the connection is closed. most: connections at a time; further ones are closed.
    """

    def __init__(self, listener: socket.socket, connect: typing.Callable[[], End],
                 most: int = 16) -> None:
        self._listener, self._connect, self._most = listener, connect, most
        # Closing one end of the pipe wakes every thread that polls the other.
        self._stop, self._stopper = os.pipe()
        self._ends: typing.Dict[threading.Thread, typing.List[End]] = {}
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._accept, name="fob-relay", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """Of a TCP socket."""
        return int(self._listener.getsockname()[1])

    def close(self) -> None:
        """Ends all connections."""
        os.close(self._stopper)
        self._thread.join()
        self._listener.close()
        with self._lock:
            left = dict(self._ends)
            for ends in left.values():
                for end in ends:
                    end.shut()
        for thread in left:
            # A serial port may not take what is written; its thread ends with the process.
            thread.join(2.0)
        if not any(thread.is_alive() for thread in left):
            os.close(self._stop)

    def _accept(self) -> None:
        waiting = select.poll()
        waiting.register(self._listener, select.POLLIN)
        waiting.register(self._stop, 0)
        while self._stop not in [ready for ready, _ in waiting.poll()]:
            near = End(self._listener.accept()[0])
            with self._lock:
                is_full = len(self._ends) >= self._most
            try:
                if is_full:
                    raise ConnectionRefusedError("it is in use")
                ends = [near, self._connect()]
            except (OSError, FobError) as error:
                log.warning("a connection was closed: %s", error)
                near.close()
                continue
            thread = threading.Thread(target=self._serve, args=[ends], daemon=True)
            with self._lock:
                self._ends[thread] = ends
            thread.start()

    def _serve(self, ends: typing.List[End]) -> None:
        try:
            self._carry(*ends)
        except OSError:
            pass
        finally:
            with self._lock:
                del self._ends[threading.current_thread()]
                for end in ends:
                    end.close()

    def _carry(self, near: End, far: End) -> None:
        waiting = select.poll()
        other = {near.descriptor: far, far.descriptor: near}
        for descriptor in other:
            waiting.register(descriptor, select.POLLIN)
        waiting.register(self._stop, 0)
        while other:
            for ready, _ in waiting.poll():
                if ready == self._stop:
                    return
                data = os.read(ready, 65536)
                if data:
                    other[ready].write(data)
                else:
                    waiting.unregister(ready)
                    other.pop(ready).finish()


def tcp(host: str, port: int) -> End:
    """Raises OSError, as the two below."""
    connection = socket.create_connection((host, port), 20.0)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return End(connection)


def unix(path: str) -> End:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except BaseException:
        connection.close()
        raise
    return End(connection)


def line(spec: str, speed: int = 115200) -> End:
    """The host's end of a line: unix:PATH, tcp:HOST:PORT, or the path of a pty, a serial port or a
    Unix socket. A port is opened raw and exclusive."""
    kind, _, rest = spec.partition(":")
    if kind == "tcp":
        host, _, port = rest.rpartition(":")
        return tcp(host.strip("[]"), int(port))
    path = rest if kind in ("unix", "pty") else spec
    if stat.S_ISSOCK(os.stat(path).st_mode):
        return unix(path)
    # Not blocked by a modem's missing carrier.
    port_ = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        # As fob locks it; TIOCEXCL stops programs that ask for no lock. A pty would keep that flag
        # after its holder's death.
        fcntl.flock(port_, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.major(os.fstat(port_).st_rdev) not in PTYS:
            fcntl.ioctl(port_, termios.TIOCEXCL)
        tty.setraw(port_)
        settings = termios.tcgetattr(port_)
        settings[2] |= termios.CLOCAL
        settings[4] = settings[5] = getattr(termios, f"B{speed}")
        termios.tcsetattr(port_, termios.TCSANOW, settings)
    except termios.error as error:
        os.close(port_)
        raise OSError(*error.args) from error
    except BaseException:
        os.close(port_)
        raise
    return End(port_)
