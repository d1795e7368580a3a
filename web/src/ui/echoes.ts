// Tells what a field itself said from what is said to it. A value goes from a field to the state and comes back with the
// next rendering; by then a quick typist has typed on. Writing the older value into the field would undo the newer one,
// and telling the state of that would bring the newer one back, without end.

/** What a field has sent and not yet seen come back, oldest first. */
export class Echoes {
  #sent: string[] = [];

  /** The field sent this value. */
  sent(value: string): void {
    this.#sent.push(value);
  }

  /** Whether a value that arrives is one the field sent: it, and what was sent before it, is then done with. */
  isEcho(value: string): boolean {
    const at = this.#sent.lastIndexOf(value);
    if (at < 0) {
      this.#sent = [];
      return false;
    }
    this.#sent.splice(0, at + 1);
    return true;
  }
}
