/** The named places, by which a message says where the person is: as they are configured. */

import { h } from "../../dom.js";
import { t } from "../../texts.js";
import { coordinates } from "../position.js";

/** The card with the places. */
export function placesPart({ account }) {
  return h("section", { class: "card" }, h("h2", {}, t("settings.places")),
    h("p", {}, t(account.places.length > 0 ? "settings.places.text" : "settings.places.none")),
    h("ul", {}, account.places.map((place) =>
      h("li", {}, `${place.name}: `, h("span", { class: "figures" }, coordinates(place))))));
}
