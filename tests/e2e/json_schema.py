"""As much of JSON Schema as docs/schemas uses. Members that a schema does not name are errors
(unless it says additionalProperties), so that nothing is printed that is not described."""
import json
import re

TYPES = {
    "object": dict, "array": list, "string": str, "null": type(None), "boolean": bool,
    "integer": int, "number": (int, float)
}
KNOWN = {
    "$schema", "$id", "$defs", "$ref", "title", "description", "type", "const", "enum", "minimum",
    "pattern", "items", "required", "properties", "additionalProperties"
}


def has_type(value, name):
    return isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def faults(value, rule, root, path="$"):
    """What is wrong with `value`, a sentence each."""
    if "$ref" in rule:
        assert rule["$ref"].startswith("#/$defs/"), rule
        return faults(value, root["$defs"][rule["$ref"].removeprefix("#/$defs/")], root, path)
    assert set(rule) <= KNOWN, f"{path}: {set(rule) - KNOWN}"
    types = rule.get("type", list(TYPES))
    if not any(has_type(value, name) for name in ([types] if isinstance(types, str) else types)):
        return [f"{path} is no {types}: {json.dumps(value)[:80]}"]
    out = []
    if "const" in rule and value != rule["const"]:
        out.append(f"{path} is not {rule['const']}")
    if "enum" in rule and value not in rule["enum"]:
        out.append(f"{path} is {value}, none of {rule['enum']}")
    if "minimum" in rule and has_type(value, "number") and value < rule["minimum"]:
        out.append(f"{path} is {value}, below {rule['minimum']}")
    if "pattern" in rule and isinstance(value, str) and not re.search(rule["pattern"], value):
        out.append(f"{path} is {value!r}, which is not {rule['pattern']}")
    if isinstance(value, list):
        for i, item in enumerate(value):
            out += faults(item, rule.get("items", {}), root, f"{path}[{i}]")
    if isinstance(value, dict):
        out += faults_of_members(value, rule, root, path)
    return out


def faults_of_members(value, rule, root, path):
    out = [f"{path} has no {name}" for name in rule.get("required", []) if name not in value]
    properties, others = rule.get("properties", {}), rule.get("additionalProperties",
                                                              not rule.get("properties"))
    for name, member in value.items():
        if name in properties:
            out += faults(member, properties[name], root, f"{path}.{name}")
        elif isinstance(others, dict):
            out += faults(member, others, root, f"{path}.{name}")
        elif not others:
            out.append(f"{path}.{name} stands in no schema")
    return out
