"""`pandemonium check`: what a load run recorded, proven. Needs no running platform."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from services.cli.failures import told
from services.loadtest import check as proof
from services.loadtest.check_report import Report


def check(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder that `pandemonium load` left.")],
    processes: Annotated[
        int | None, typer.Option(min=1, help="How many work at it; without it, one for each core.")
    ] = None,
) -> None:
    """Prove a load run from the clients' histories and the tables' logs. Exit code 0: nothing wrong was found."""
    console = Console(highlight=False)
    begun = time.monotonic()
    with told():
        try:
            report = proof.check(run, processes or os.cpu_count() or 1)
        except proof.NotARun as nothing:
            raise typer.BadParameter(str(nothing), param_hint="RUN") from None
    show(report, console, time.monotonic() - begun)
    if not report.holds:
        raise typer.Exit(1)


def show(report: Report, console: Console, took_s: float) -> None:
    """Prints what was checked, what could not be, and what is wrong."""
    width = max((len(f"{number:,}") for number in (report.checked | report.unchecked).values()), default=0)
    console.print("checked")
    for what, number in sorted(report.checked.items()):
        console.print(f"  {number:>{width},} {what}", markup=False)
    if report.unchecked:
        console.print("could not be checked", style="yellow")
        for what, number in sorted(report.unchecked.items()):
            console.print(f"  {number:>{width},} {what}", markup=False, soft_wrap=True)
    for finding in report.findings:
        console.print(str(finding), style="red", markup=False, soft_wrap=True)
    faults = sum(report.faults.values())
    if report.holds:
        console.print(f"proven: nothing wrong was found, in {took_s:.1f} s", style="green")
    else:
        kept = f", {len(report.findings)} of them shown" if faults > len(report.findings) else ""
        console.print(f"{faults} findings{kept}, in {took_s:.1f} s", style="red")
