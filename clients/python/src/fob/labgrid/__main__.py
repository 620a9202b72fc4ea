"""labgrid-exporter, which exports keychains, too: python3 -m fob.labgrid exporter.yaml"""
from labgrid.remote.exporter import main

from . import exporter

exporter.register()
main()
