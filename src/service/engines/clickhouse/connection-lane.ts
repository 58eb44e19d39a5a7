/** A pool of connections that each run one statement at a time; waiting statements run in the order they arrived. */
export type ConnectionLane<C> = {
  run<T>(work: (connection: C) => Promise<T>): Promise<T>
  /** Rejects the waiting statements, then resolves when the running ones have ended. */
  close(): Promise<void>
}

/** Creates a lane of at most `size` connections, each opened when first needed. */
export function connectionLane<C>(
  size: number,
  open: () => Promise<C>,
  closeConnection: (connection: C) => void,
): ConnectionLane<C> {
  const idle: C[] = []
  const waiting: PromiseWithResolvers<void>[] = []
  let free = size
  let closed = false

  async function enter(): Promise<void> {
    if (closed) throw new Error('the warehouse is closed')
    if (free === 0) return await nextFreeTurn()
    free -= 1
  }

  function leave(): void {
    const next = waiting.shift()
    if (next) next.resolve()
    else free += 1
  }

  return {
    async run(work) {
      await enter()
      try {
        const connection = idle.pop() ?? (await open())
        try {
          return await work(connection)
        } finally {
          idle.push(connection)
        }
      } finally {
        leave()
      }
    },
    async close() {
      closed = true
      for (const turn of waiting.splice(0)) turn.reject(new Error('the warehouse is closed'))
      await Promise.all(Array.from({ length: size - free }, () => nextFreeTurn()))
      for (const connection of idle.splice(0)) closeConnection(connection)
    },
  }

  function nextFreeTurn(): Promise<void> {
    const turn = Promise.withResolvers<void>()
    waiting.push(turn)
    return turn.promise
  }
}
