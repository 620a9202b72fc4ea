/** The emulated keychain in the owner's hand; nothing where the bench has none. */
export function hand(root, model) {}
