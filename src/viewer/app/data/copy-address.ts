/** Copies the address of what is shown, and says what came of it. */
export async function copyAddress(): Promise<string> {
  try {
    await navigator.clipboard.writeText(location.href);
    return "Copied";
  } catch {
    // Without permission the address bar still holds it.
    return "Copy it from the address bar";
  }
}
