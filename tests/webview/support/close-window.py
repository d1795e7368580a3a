"""Asks the window of a title to close, as the button in its frame does: WM_DELETE_WINDOW (ICCCM 4.2.8.1).

Ends with 1 where no such window is shown.
"""

import sys

from Xlib import X, display
from Xlib.protocol.event import ClientMessage

screen = display.Display()
delete = screen.intern_atom("WM_DELETE_WINDOW")
shown = [
    window
    for window in screen.screen().root.query_tree().children
    if window.get_wm_name() == sys.argv[1]
    and window.get_attributes().map_state == X.IsViewable
    and delete in (window.get_wm_protocols() or [])
]
for window in shown:
    protocols = screen.intern_atom("WM_PROTOCOLS")
    window.send_event(ClientMessage(window=window, client_type=protocols, data=(32, [delete, X.CurrentTime, 0, 0, 0])))
screen.sync()
sys.exit(0 if shown else 1)
