"""`servida serve`: the answers of the command line as JSON over HTTP (docs/server.md). Needs `servida[serve]`."""
