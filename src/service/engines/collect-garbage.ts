import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const smallBytes = 128e6

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/**
 * Frees unused memory if the process holds much. V8 collects while something allocates: a service that is quiet after a flood
 * would keep the bodies.
 */
export function collectGarbage(): void {
  const { heapTotal, external } = process.memoryUsage()
  if (heapTotal + external > smallBytes) collect()
}
