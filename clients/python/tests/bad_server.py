"""A server that answers as it is told: late, cut short, wrong, or not at all."""
import contextlib
import socket
import threading
import typing

Play = typing.Callable[[socket.socket, bytes], None]
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


class BadServer:
    """Each connection plays the next of these plays, and ends behind it; the last one stays.

    heard has every request; released is what a play waits for that holds an answer back.
    """

    def __init__(self, family: int, *plays: Play) -> None:
        self.heard: typing.List[bytes] = []
        self.released = threading.Event()
        self._plays = list(plays)
        self._listener = socket.socket(family)
        self._threads: typing.List[threading.Thread] = []

    def listen(self, address: typing.Any) -> None:
        self._listener.bind(address)
        self._listener.listen()
        thread = threading.Thread(target=self._serve, daemon=True)
        self._threads.append(thread)
        thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def close(self) -> None:
        self.released.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(10)

    def _serve(self) -> None:
        place = 0
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            play = self._plays[min(place, len(self._plays) - 1)]
            place += 1
            thread = threading.Thread(target=self._one, args=(connection, play), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _one(self, connection: socket.socket, play: Play) -> None:
        with connection, contextlib.suppress(OSError):
            request = connection.recv(65536)
            self.heard.append(request)
            play(connection, request)


@contextlib.contextmanager
def serving(*plays: Play) -> typing.Iterator[BadServer]:
    """One on a free port of this host."""
    server = BadServer(socket.AF_INET, *plays)
    server.listen(("127.0.0.1", 0))
    try:
        yield server
    finally:
        server.close()


def says(*parts: bytes) -> Play:
    """All of it, and then the end of the connection."""
    def play(connection: socket.socket, request: bytes) -> None:
        for part in parts:
            connection.sendall(part)
    return play


def keeps(server: typing.List[BadServer], *parts: bytes) -> Play:
    """All of it, and then nothing, until the server is released."""
    def play(connection: socket.socket, request: bytes) -> None:
        for part in parts:
            connection.sendall(part)
        server[0].released.wait(60)
    return play


def resets(connection: socket.socket, request: bytes) -> None:
    """Ends the connection by a reset."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


def json_answer(body: bytes, status: bytes = b"200 OK", more: bytes = b"") -> bytes:
    return (b"HTTP/1.1 " + status + b"\r\nContent-Type: application/json\r\n" + more
            + b"Content-Length: " + str(len(body)).encode() + b"\r\n\r\n" + body)
