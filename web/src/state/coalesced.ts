// Reading something again without piling up: calls during a run are answered by one more run after it.

export function coalesced(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  const all = async () => {
    do {
      again = false;
      await run();
    } while (again);
  };
  return () => {
    if (running) again = true;
    else running = all().finally(() => (running = undefined));
    return running;
  };
}
