"""JSON from another end."""
import json
import typing

from .errors import Malformed


def parsed(text: typing.Union[str, bytes], what: str) -> typing.Any:
    """Raises Malformed for what is no JSON, or deeper than Python follows."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"{what}: no JSON: {error}") from error
