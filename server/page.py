"""The OpenAPI document as a page that needs nothing from elsewhere, not even scripts."""

import json
from html import escape
from typing import Any

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}td,th{border:1px solid #999;padding:.3rem .5rem;text-align:left;"
    "vertical-align:top}code,pre{font-family:ui-monospace,monospace;font-size:.9em}pre{overflow:auto;padding:.6rem;"
    "border:1px solid #999}"
)


def page(document: dict[str, Any]) -> str:
    """The page for a document."""
    info = document["info"]
    parts = [f"<h1>{escape(info['title'])} {escape(info['version'])}</h1><p>{escape(info['description'])} "]
    parts.append('The same as <a href="/openapi.json">OpenAPI document</a>.</p>')
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            parts.append(f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{escape(operation['summary'])}</p>")
            if "requestBody" in operation:
                parts.append(_body(path, operation["requestBody"]["content"]["application/json"]["schema"]))
    head = f'<meta charset="utf-8"><title>{escape(info["title"])}</title><style>{STYLE}</style>'
    meta = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    return f'<!doctype html><html lang="en"><head>{head}{meta}</head><body>{"".join(parts)}</body></html>'


def _body(path: str, schema: dict[str, Any]) -> str:
    """The fields of a body, and how it is sent."""
    rows = [
        f"<tr><td><code>{escape(name)}</code></td><td>{_kind(field)}{' (required)' * (name in schema['required'])}</td>"
        f"<td>{escape(field['description'])}</td></tr>"
        for name, field in schema["properties"].items()
    ]
    example = escape(json.dumps(schema["example"], ensure_ascii=False))
    table = f"<table><tr><th>field</th><th>type</th><th>meaning</th></tr>{''.join(rows)}</table>"
    return f"{table}<pre>POST {escape(path)}\ncontent-type: application/json\n\n{example}</pre>"


def _kind(field: dict[str, Any]) -> str:
    """The type of a field, in words."""
    if "enum" in field:
        return " or ".join(f"<code>{escape(word)}</code>" for word in field["enum"])
    if "anyOf" in field:
        return " or ".join(_kind(inner) for inner in field["anyOf"])
    if field.get("type") == "array":
        return f"list of {_kind(field['items'])}"
    return str(field.get("type", "any"))
