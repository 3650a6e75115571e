"""``custom_objects.py FILE``: what is wrong with the objects in a file of YAML that Kubernetes has no schema of itself.

Run with the folder of `make helm` on the path. Prints a line for each mistake; the exit code is 1 if there is any. A
name that a kind doesn't know counts as a mistake: a cluster would remove it without a word.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pydantic
import yaml

KINDS: Final = {
    "ServiceMonitor": "cloudcoil.models.prometheus_operator.v1",
    "PrometheusRule": "cloudcoil.models.prometheus_operator.v1",
    "ScaledObject": "cloudcoil.models.keda.v1alpha1",
}


def model(kind: str) -> type[pydantic.BaseModel]:
    """The kind's class. Each module has thousands: they are built when they are used, and take no unknown names."""
    for module, name in (("cloudcoil.pydantic", "BaseModel"), ("cloudcoil.resources", "Resource")):
        getattr(import_module(module), name).model_config.update(defer_build=True, extra="forbid")
    found: type[pydantic.BaseModel] = getattr(import_module(KINDS[kind]), kind)
    return found


def mistakes(found: dict[str, Any]) -> list[str]:
    """Each with the place where it is."""
    try:
        model(found["kind"]).model_validate(found)
    except pydantic.ValidationError as error:
        return [f"{found['kind']} {'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
    return []


if __name__ == "__main__":
    wrong = [line for found in yaml.safe_load_all(Path(sys.argv[1]).read_text()) for line in mistakes(found)]
    print("\n".join(wrong))
    sys.exit(bool(wrong))
