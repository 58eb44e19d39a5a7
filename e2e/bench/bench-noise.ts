import { readFile } from 'node:fs/promises'

/** Processor time (ms) that a probe of an undisturbed machine takes. */
const probeMs = 20
const probes = 15
/** Beyond these, figures say more about the machine than about the service. */
const spreadMax = 1.3
const stolenMax = 0.03

/** What disturbed a measurement: the spread of equal probes before it, and the share of time that other machines took during it. */
export type Noise = { spread: number; stolen: number }

/** Measures the noise before a part; the returned function ends the watch. */
export async function watchNoise(): Promise<() => Promise<Noise>> {
  const times = Array.from({ length: probes }, probe).sort((a, b) => a - b)
  const spread = (times[Math.floor(probes * 0.9)] ?? NaN) / (times[0] ?? NaN)
  const before = await processorTimes()
  return async () => {
    const after = await processorTimes()
    return { spread, stolen: (after.stolen - before.stolen) / Math.max(1, after.total - before.total) }
  }
}

/** Whether figures measured in this noise cannot be judged. */
export function isTooNoisy({ spread, stolen }: Noise): boolean {
  return spread > spreadMax || stolen > stolenMax
}

let rounds = 0

/** Returns how long the same work takes (ms). */
function probe(): number {
  rounds ||= roundsWithin(probeMs)
  const started = performance.now()
  spin(rounds)
  return performance.now() - started
}

function roundsWithin(ms: number): number {
  const started = performance.now()
  let done = 0
  for (; performance.now() - started < ms; done += 10_000) spin(10_000)
  return done
}

function spin(count: number): number {
  let value = 1
  for (let round = 0; round < count; round += 1) value = Math.imul(value ^ round, 0x9e3779b1)
  return value
}

/** Returns the processor times of all cores since the start, in ticks; zeros where the system does not tell them. */
async function processorTimes(): Promise<{ total: number; stolen: number }> {
  const text = await readFile('/proc/stat', 'utf8').catch(() => '')
  const [first = ''] = text.split('\n')
  const ticks = first.trim().split(/\s+/).slice(1, 9).map(Number)
  return { total: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 }
}
