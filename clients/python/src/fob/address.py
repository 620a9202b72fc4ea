"""Where a core is served."""
import dataclasses
import ssl
import typing
import urllib.parse


@dataclasses.dataclass(frozen=True)
class Address:
    """An address as in http://127.0.0.1:8787 or https://alarm.example.org."""

    host: str
    port: int
    is_secure: bool

    @classmethod
    def of(cls, url: str) -> "Address":
        """Raises ValueError for what is none."""
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is no address: write it as http://127.0.0.1:8787")
        if parts.path.strip("/") or parts.query or parts.fragment or parts.username:
            raise ValueError(f"{url!r} has more than scheme, host and port")
        secure = parts.scheme == "https"
        return cls(parts.hostname, parts.port or (443 if secure else 80), secure)

    @property
    def authority(self) -> str:
        """As the header Host has it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    def context(self, ca: typing.Optional[str]) -> typing.Optional[ssl.SSLContext]:
        """What verifies the server; ca: a PEM file to trust instead of the system's."""
        return ssl.create_default_context(cafile=ca) if self.is_secure else None
