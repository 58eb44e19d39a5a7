/** Runs at most so many works at once; the others wait, in the order they came. */
export function takeTurns(atOnceMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: PromiseWithResolvers<void>[] = []
  let free = atOnceMax
  return async (work) => {
    if (free > 0) free -= 1
    else {
      const turn = Promise.withResolvers<void>()
      waiting.push(turn)
      await turn.promise
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next.resolve()
      else free += 1
    }
  }
}
