"""The client that blocks and the one of asyncio, asked alike."""
import asyncio
import contextlib
import typing

import pytest

import fob
from fob import api
from fob.api.status import Status

Ask = typing.Callable[..., Status]


def by_client(url: str, **options: typing.Any) -> Status:
    with fob.Client(url, "fob_x", **options) as client:
        return client.ask(api.status.get())


def by_async_client(url: str, **options: typing.Any) -> Status:
    async def ask() -> Status:
        async with fob.AsyncClient(url, "fob_x", **options) as client:
            return await client.ask(api.status.get())
    return asyncio.run(ask())


both = pytest.mark.parametrize("ask", [by_client, by_async_client])


def by_stream(url: str, count: int) -> typing.List[fob.Event]:
    with fob.Client(url, "fob_x") as client, client.events(after=0) as stream:
        return [event for _, event in zip(range(count), stream)]


def by_async_stream(url: str, count: int) -> typing.List[fob.Event]:
    async def read() -> typing.List[fob.Event]:
        found: typing.List[fob.Event] = []
        async with fob.AsyncClient(url, "fob_x") as client, client.events(after=0) as stream:
            async for event in stream:
                found.append(event)
                if len(found) == count:
                    break
        return found
    return asyncio.run(asyncio.wait_for(read(), 60))


both_streams = pytest.mark.parametrize("read", [by_stream, by_async_stream])


@contextlib.contextmanager
def unused_port() -> typing.Iterator[str]:
    """The address of a port at which nobody listens: it is bound, and stays so meanwhile."""
    import socket
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
