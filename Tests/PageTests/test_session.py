"""A login is the page's own: what another port of this host is sent lets nobody in."""

import http.server
import pathlib
import re
import tempfile
import threading
import urllib.error
import urllib.request

from page_test_case import PIN, PageTestCase


class Stranger:
    """Another program of this host, on another port, that notes what a browser sends it."""

    def __init__(self):
        self.cookies = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outer.cookies.append(self.headers.get("Cookie", ""))
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!doctype html><title>stranger</title>")

            def log_message(self, *_):
                """Says nothing."""

        # A browser opens a second connection in advance, and says nothing on it.
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def end(self):
        self.server.shutdown()
        self.server.server_close()


class SessionTests(PageTestCase):
    def test_a_cookie_that_another_port_has_heard_lets_nobody_in(self):
        """The browser sends it there, and the key of the page is not in it."""
        fob = self.start_set_up()
        self.page.find("heading", "All good!")
        stranger = Stranger()
        self.addCleanup(stranger.end)
        self.driver.get(stranger.url)
        kept = self.driver.execute_script("return Object.keys(localStorage).length")
        self.assertEqual(kept, 0)
        cookie = next(text for text in stranger.cookies if "fob-" in text)
        self.assertIn(f"fob-{fob.port}=", cookie)
        request = urllib.request.Request(fob.url + "/v1/status", headers={"Cookie": cookie})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=20)
        refused.exception.close()
        self.assertEqual(refused.exception.code, 401)
        # What was asked of the stranger was asked by this test.
        self.driver.get_log("performance")
        self.page.open()
        self.page.find("heading", "All good!")

    def test_another_tab_is_logged_in_and_the_last_to_leave_logs_out_all(self):
        """The key is the origin's; and the cookie of another core beside this one is another's."""
        fob = self.start_set_up()
        self.page.find("heading", "All good!")
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        self.page.open("/bench")
        self.page.find("row", re.compile("8000"))
        self.driver.close()
        self.driver.switch_to.window(first)
        self.page.follow("Settings")
        self.page.press("Log this browser out")
        self.page.find("dialog")
        self.page.press("Log this browser out")
        self.page.find("textbox", "One-time code")
        kept = self.driver.execute_script("return Object.keys(localStorage).length")
        self.assertEqual(kept, 0)
        self.assertEqual(fob.status["state"], "NO_EMERGENCY")

    def test_a_file_is_downloaded_by_who_is_logged_in(self):
        """By its link, though a link has no key."""
        self.start_set_up()
        folder = pathlib.Path(tempfile.mkdtemp(prefix="fob-page-download-"))
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {
            "behavior": "allow", "downloadPath": str(folder)})
        self.page.open("/bench")
        self.page.find("row", re.compile("8000"))
        self.page.press(re.compile("capture", re.IGNORECASE), "link")
        self.page.until(lambda: list(folder.glob("*.pcapng")), "no file was downloaded")

    def test_a_link_with_the_code_lets_its_follower_in_once(self):
        """The code stands behind the "#", which no server is sent, and is gone at once."""
        fob = self.start_set_up()
        self.page.find("heading", "All good!")
        self.page.follow("Settings")
        self.page.press("Log this browser out")
        self.page.find("dialog")
        self.page.press("Log this browser out")
        self.page.find("textbox", "One-time code")
        fob.kill()
        fob.start()
        self.page.open(f"/#code={fob.code}")
        self.page.find("heading", "All good!")
        self.assertNotIn("code", self.driver.current_url)
        self.driver.back()
        self.assertNotIn(fob.code, self.driver.current_url)

    def test_a_link_that_is_too_old_says_so(self):
        """It is told as a wrong code is; one that is typed still counts."""
        fob = self.start("--set-up")
        self.page.open("/#code=" + ("ACDEFGHJ" if fob.code != "ACDEFGHJ" else "KMNPQRTW"))
        self.page.says("This code is wrong")
        self.assertNotIn("code=", self.driver.current_url)
        self.type_code(fob)

    def test_an_owner_comes_in_by_email_and_pin(self):
        """R122: an address that nobody has is told at its field, before any digit of a PIN."""
        fob = self.start("--set-up")
        fob.set_up(PIN, ["Contact 1"])
        self.page.open()
        self.page.press("With email and PIN")
        self.page.write("Email", "nobody@example.org")
        self.page.press("Continue")
        self.page.says("There is no account with this email address.")
        self.assertFalse(self.page.has("textbox", "PIN, 4 digits"))
        self.page.write("Email", "owner@example.org")
        self.page.press("Continue")
        self.type_pin("0000")
        self.page.says("Wrong PIN.")
        self.page.press("Try Again")
        self.type_pin(PIN)
        self.page.find("heading", "All good!")
