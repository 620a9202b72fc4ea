/** The bench: what a test engineer sees of all devices. It reads; an alarm does not lock it. */

import { h, setText } from "./dom.js";
import { t } from "./texts.js";
import { Model } from "./model.js";
import { Feed } from "./bench/feed.js";
import { devices } from "./bench/devices.js";
import { wire } from "./bench/wire.js";
import { latency } from "./bench/latency.js";
import { conformance } from "./bench/conformance.js";

const sections = [devices, wire, latency, conformance];
