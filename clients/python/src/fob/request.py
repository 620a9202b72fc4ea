"""One operation of the API, before it is sent."""
import dataclasses
import typing
import urllib.parse

T = typing.TypeVar("T")
Pairs = typing.Tuple[typing.Tuple[str, typing.Optional[typing.Union[str, int, float]]], ...]
Form = typing.Literal["json", "text", "bytes", "none"]


@dataclasses.dataclass(frozen=True)
class Request(typing.Generic[T]):
    """What `Client.ask` sends; T is the type of the answer. The functions of fob.api make them.

    form is that of the answer. body goes as JSON. Of query and headers, pairs with None are left
    out.
    """

    method: str
    target: str
    form: Form = "json"
    body: typing.Any = None
    query: Pairs = ()
    headers: Pairs = ()

    @staticmethod
    def path(template: str, **values: object) -> str:
        """The template with its values, each of them one segment."""
        return template.format(**{name: urllib.parse.quote(str(value), safe="")
                                  for name, value in values.items()})

    @property
    def whole_target(self) -> str:
        pairs = [(name, str(value)) for name, value in self.query if value is not None]
        return self.target + ("?" + urllib.parse.urlencode(pairs) if pairs else "")
