/** Returns a function that performs tasks one after the other. A task that fails is reported, and the next one follows. */
export function createSequence(report: (error: unknown) => void) {
  let last = Promise.resolve()
  return (task: () => Promise<void>): Promise<void> => {
    last = last.then(task).catch(report)
    return last
  }
}
