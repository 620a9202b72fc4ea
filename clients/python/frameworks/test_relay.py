"""What an exporter serves by TCP, byte for byte."""
import os
import pathlib
import socket
import tty
import typing

import pytest

from fob.labgrid.relay import Relay, line, unix


@pytest.fixture(autouse=True)
def watchdog() -> typing.Iterator[None]:
    socket.setdefaulttimeout(20)
    yield
    socket.setdefaulttimeout(None)


@pytest.fixture
def far(tmp_path: pathlib.Path) -> typing.Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        listener.listen()
        yield listener


def near(relay: Relay) -> socket.socket:
    return socket.create_connection(("127.0.0.1", relay.port), 20)


def relay_to(far: socket.socket, most: int = 16) -> Relay:
    path = str(far.getsockname())
    return Relay(socket.create_server(("127.0.0.1", 0)), lambda: unix(path), most)


def test_a_request_that_is_finished_still_has_its_answer(far: socket.socket) -> None:
    relay = relay_to(far)
    with near(relay) as asking:
        asking.sendall(b"request")
        asking.shutdown(socket.SHUT_WR)
        with far.accept()[0] as asked:
            assert asked.makefile("rb").read() == b"request"
            asked.sendall(b"answer")
        assert asking.makefile("rb").read() == b"answer"
    relay.close()


def test_a_megabyte_each_way_arrives_as_it_was(far: socket.socket) -> None:
    relay, data = relay_to(far), os.urandom(1 << 20)
    with near(relay) as asking:
        with far.accept()[0] as asked:
            for source, target in [(asking, asked), (asked, asking)]:
                # In parts that a socket's buffers hold: nobody else reads meanwhile.
                for place in range(0, len(data), 4096):
                    source.sendall(data[place:place + 4096])
                    got = b""
                    while len(got) < 4096:
                        got += target.recv(4096 - len(got))
                    assert got == data[place:place + 4096]
    relay.close()


def test_a_line_has_one_host_and_the_next_when_that_has_gone(far: socket.socket) -> None:
    relay = relay_to(far, most=1)
    with near(relay) as first:
        with far.accept()[0]:
            with near(relay) as second:
                assert second.recv(1) == b"", "it is in use"
            first.sendall(b"x")
        assert first.recv(1) == b"", "the other end has gone"
    with near(relay) as third, far.accept()[0] as asked:
        third.sendall(b"y")
        assert asked.recv(1) == b"y"
    relay.close()


def test_its_end_closes_what_goes_on(far: socket.socket) -> None:
    relay = relay_to(far)
    with near(relay) as asking, far.accept()[0] as asked:
        relay.close()
        assert asking.recv(1) == b"" and asked.recv(1) == b""


def test_who_is_not_there_is_a_closed_connection(tmp_path: pathlib.Path) -> None:
    relay = Relay(socket.create_server(("127.0.0.1", 0)), lambda: line(str(tmp_path / "none")))
    with near(relay) as asking:
        assert asking.recv(1) == b""
    relay.close()


def test_a_serial_port_is_opened_raw_and_its_hang_up_ends_the_connection() -> None:
    device, port = os.openpty()
    path = os.ttyname(port)
    relay = Relay(socket.create_server(("127.0.0.1", 0)), lambda: line(path))
    every = bytes(range(256))
    with near(relay) as host:
        host.sendall(every)
        got = b""
        while len(got) < 256:
            got += os.read(device, 256)
        assert got == every
        tty.setraw(device)
        os.write(device, every)
        assert host.recv(256, socket.MSG_WAITALL) == every
        os.close(device)
        assert host.recv(1) == b""
    os.close(port)
    relay.close()
