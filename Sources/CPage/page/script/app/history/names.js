import { api } from "../../api.js";

/** Names of contacts by their ids, of those that are there still: a promise, never rejected. */
export async function contactNames() {
  try {
    const { contacts } = await api.get("/v1/contacts");
    return new Map(contacts.map((one) => [one.id, one.name]));
  } catch {
    return new Map();
  }
}
