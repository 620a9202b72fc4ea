"""The page in the languages that it speaks: which one, and that each has every text."""

import pathlib
import re

from page_test_case import PageTestCase

# What is written the same in more than one of them, or is a name.
SAME = re.compile(
    r"^(?:[\W\d_]|\{\w+\}|fob|GPS|PIN|OK|SafeTime|EVENT|JSON|JUnit|XML|pcapng|CSV|vCard|vcf|112"
    r"|p90|p99|min|max|µs|ms|mV|s|m|km|N)*$")

# Words that are spelled as in English.
BOTH = {
    "de": {
        "Alarm", "Name", "Status", "Status: {overall}", "Countdown", "Text", "Firmware",
        "in Kraft", "1 Byte",
        "fob conform pty:/dev/pts/7", "her his their", "their",
    },
    "fr": {
        "Contact", "Contacts", "Type", "Message", "Verdict", "Charge", "{kind}, message {sequence}",
        "Message {slot}",
        "fob conform pty:/dev/pts/7", "her his their", "their",
    },
    "es": {
        "No", "Error", "Firmware", "fob conform pty:/dev/pts/7", "her his their", "their",
    },
}

CANCEL = {
    "de": "Den Alarm abbrechen", "fr": "Annuler l’alarme", "es": "Cancelar la alarma",
}

FOLDER = pathlib.Path(__file__).parents[2] / "Sources/CPage/page/script/texts"
PARTS = sorted(path.stem for path in (FOLDER / "en").glob("*.js"))

TEXTS = """
const [parts, done] = arguments;
(async () => {
  const { languages } = await import("/page/script/language.js");
  const read = async (language) => Object.assign({}, ...await Promise.all(parts.map(
    async (part) => (await import(`/page/script/texts/${language}/${part}.js`)).default)));
  const tables = {};
  for (const language of languages) {
    tables[language] = {
      texts: await read(language),
      forms: new Intl.PluralRules(language).resolvedOptions().pluralCategories,
    };
  }
  return tables;
})().then(done, (error) => done(String(error)));
"""


class TextTests(PageTestCase):
    @property
    def tables(self):
        """Of each language its texts, and the forms that its plurals have."""
        self.page.open()
        return self.driver.execute_async_script(TEXTS, PARTS)

    def test_every_language_has_every_text_of_english(self):
        """The same names, the same places for values, and every plural form of the language."""
        self.start("--set-up")
        tables = self.tables
        self.assertEqual(sorted(tables), ["de", "en", "es", "fr"])
        english = tables["en"]["texts"]
        for language, table in tables.items():
            texts = table["texts"]
            with self.subTest(language=language):
                self.assertEqual(sorted(texts), sorted(english))
            for name in set(texts) & set(english):
                with self.subTest(language=language, text=name):
                    self.assertEqual(forms(texts[name]), forms(english[name]))
                    if isinstance(texts[name], dict):
                        self.assertEqual(sorted(texts[name]), sorted(table["forms"]))

    def test_no_text_of_another_language_is_english_by_accident(self):
        """What is the same in English is a name, a number, or one of a few words of both."""
        self.start("--set-up")
        tables = self.tables
        english = tables["en"]["texts"]
        for language in set(tables) - {"en"}:
            same = [
                name for name, text in tables[language]["texts"].items()
                if text == english.get(name) and not is_name(text, BOTH[language])]
            self.assertEqual(same, [], language)


class LanguageTests(PageTestCase):
    def speak(self, *languages):
        """What the browser of this person asks for."""
        self.driver.execute_cdp_cmd("Emulation.setUserAgentOverride", {
            "userAgent": self.driver.execute_script("return navigator.userAgent"),
            "acceptLanguage": ",".join(languages)})
        self.addCleanup(
            self.driver.execute_cdp_cmd, "Emulation.setUserAgentOverride", {
                "userAgent": self.driver.execute_script("return navigator.userAgent"),
                "acceptLanguage": "en-GB"})

    def language(self):
        return self.driver.execute_script("return document.documentElement.lang")

    def test_the_page_is_in_the_first_language_of_the_browser_that_it_speaks(self):
        """One that it does not speak is passed over; without any it is English."""
        self.start("--set-up")
        for languages, spoken, title in (
                (("de-AT", "en"), "de", "Anmelden"), (("xx", "fr-CA", "de"), "fr", "Connexion"),
                (("es",), "es", "Iniciar sesión"), (("xx",), "en", "Log in")):
            with self.subTest(languages=languages):
                self.speak(*languages)
                self.page.open()
                self.page.find("heading", title)
                self.assertEqual(self.language(), spoken)

    def test_only_the_language_shown_is_fetched(self):
        """Of the parts of a language those of this document, once; of the others nothing."""
        self.start("--set-up")
        self.speak("de")
        self.page.open()
        self.page.find("heading", "Anmelden")
        asked = self.driver.execute_script(
            "return performance.getEntriesByType('resource').map((one) => one.name)"
            ".filter((name) => name.includes('/script/texts/'))")
        self.assertTrue(asked)
        for name in asked:
            self.assertIn("/script/texts/de/", name)
            self.assertNotIn("latency", name)

    def test_every_view_has_its_words_in_every_language(self):
        """None lacks a text, and none is wider than a telephone for it."""
        fob = self.start_set_up()
        fob.control(do="press")
        fob.wait_for(lambda now: now["state"] == "EMERGENCY_SENT")
        self.page.find("heading", "We're alerted")
        self.page.looks(width=320, height=640)
        for language in ("de", "fr", "es"):
            with self.subTest(language=language, view="alarm"):
                self.driver.execute_script(
                    "localStorage.setItem('fob-language', arguments[0])", language)
                self.page.open()
                self.page.find("button", CANCEL[language])
                self.page.shoot(f"alarm-{language}")
                self.assertLessEqual(self.page.overflow, 0)
        fob.ask("/v1/incidents/current/disarm", {"pin": "2468"})
        fob.ask("/v1/incidents/current/resume", {})
        views = [f"/#/{name}" for name in (
            "status", "calm", "checkIns", "checkIns/new", "checkIns/help", "contacts", "settings",
            "history")]
        views += [f"/bench#/{name}" for name in ("devices", "latency", "conformance")]
        for language in ("de", "fr", "es"):
            self.driver.execute_script(
                "localStorage.setItem('fob-language', arguments[0])", language)
            for view in views:
                with self.subTest(language=language, view=view):
                    self.driver.get("about:blank")
                    self.page.open(view)
                    self.page.until(
                        lambda: self.driver.execute_script(
                            "return document.querySelector('main h1')?.textContent"),
                        "there is no heading")
                    self.page.shoot(re.sub(r"\W+", "-", f"view{view}-{language}"))
                    self.assertEqual(self.language(), language)
                    self.assertLessEqual(self.page.overflow, 0)
                    self.assertEqual(self.page.complaints(), [])

    def test_an_owner_reads_the_language_of_the_account(self):
        """Also where it changes; a choice for this browser goes before, until it leaves."""
        fob = self.start_set_up()
        self.page.find("heading", "Status")
        fob.ask("/v1/account", {"language": "es", "pin": "2468"}, "PATCH")
        self.page.find("heading", "Estado")
        self.assertEqual(self.language(), "es")
        self.page.follow("Ajustes")
        self.page.choose("Idioma de esta página", "Deutsch")
        self.page.find("heading", "Einstellungen")
        self.assertEqual(self.language(), "de")
        fob.ask("/v1/account", {"language": "fr", "pin": "2468"}, "PATCH")
        # The status that tells of the language tells of this, too.
        fob.add_series("2468")
        self.page.find("link", re.compile("^Nachfragen 1 "))
        self.assertEqual(self.language(), "de")
        self.page.press("Diesen Browser abmelden")
        self.page.find("dialog")
        self.page.press("Diesen Browser abmelden")
        self.page.find("heading", "Log in")
        fob.kill()
        fob.start()
        self.page.open()
        self.page.write("One-time code", fob.code)
        self.page.press("Log in")
        self.page.find("heading", "État")
        self.assertEqual(self.language(), "fr")

    def test_what_is_written_outlives_another_language_of_the_account(self):
        """R115: the page follows once the editor is left."""
        fob = self.start_set_up()
        self.page.find("heading", "Status")
        self.page.open("/#/checkIns/new")
        self.page.write("What is asked", "Have you eaten?")
        fob.ask("/v1/account", {"language": "es", "pin": "2468"}, "PATCH")
        fob.add_series("2468")
        self.page.find("link", re.compile("^Check-ins 1 to answer$"))
        self.assertEqual(self.language(), "en")
        self.page.press("Cancel")
        self.page.press("Discard")
        self.page.until(lambda: self.language() == "es", "the page does not follow")


def forms(text):
    """What has a place in it for a value; of several forms of one text, in any."""
    texts = text.values() if isinstance(text, dict) else [text]
    return sorted({name for one in texts for name in re.findall(r"\{\w+\}", one)})


def is_name(text, words):
    texts = text.values() if isinstance(text, dict) else [text]
    return all(one in words or SAME.match(one) for one in texts)
