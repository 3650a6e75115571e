"""Golden playthroughs: readable files of commands and what came of them, made again by ``python -m tests.golden``.

A file begins with its title, the numbers of the rules that it shows, and the rules that it is played by. Lines that
begin with blanks are output; all others are input, and stay as somebody wrote them. Times are ms since the cards lay;
cards of a pile are listed from the bottom to the top.
"""
