import { readdir, readFile } from 'node:fs/promises'
import { quantile } from './bench-figure.ts'

/** Probes of each kind, before and after a part. */
const probesEach = 10
/** Beyond these, figures say more about the machine than about the service. */
const spreadMax = 1.3
const stolenMax = 0.03
const othersMax = 0.03

/**
 * What disturbed a measurement: the spread of equal probes before and after it, the larger of both kinds, and the shares of the
 * processors' time that other machines and other programs took during it.
 */
export type Noise = { spread: number; stolen: number; others: number }

/** Measures the noise before a part; the returned function ends the watch. */
export async function watchNoise(): Promise<() => Promise<Noise>> {
  const before = probeTimes()
  const [times, programs] = [await processorTimes(), await otherPrograms()]
  return async () => {
    const [timesAfter, programsAfter] = [await processorTimes(), await otherPrograms()]
    const total = Math.max(1, timesAfter.total - times.total)
    return {
      spread: spreadOf(before, probeTimes()),
      stolen: (timesAfter.stolen - times.stolen) / total,
      others: ticksBetween(programs, programsAfter) / total,
    }
  }
}

/** Returns the noise as a multiple of its limit; above 1, figures cannot be judged. */
export function excess({ spread, stolen, others }: Noise): number {
  return Math.max((spread - 1) / (spreadMax - 1), stolen / stolenMax, others / othersMax)
}

/** Whether figures measured in this noise cannot be judged. */
export function isTooNoisy(noise: Noise): boolean {
  return excess(noise) > 1
}

/** Two kinds of work, some 20 ms each. Other machines on the same host slow the memory even if they leave the processors alone. */
const kinds = [calculate, copyInMemory]

/** Returns how long the probes of each kind take (ms). */
function probeTimes(): number[][] {
  return kinds.map((work) =>
    Array.from({ length: probesEach }, () => {
      const started = performance.now()
      work()
      return performance.now() - started
    }),
  )
}

/** Returns the 90th percentile of the probes' times over the fastest, of the kind for which it is larger. */
function spreadOf(before: number[][], after: number[][]): number {
  const spreads = before.map((times, kind) => {
    const all = [...times, ...(after[kind] ?? [])]
    return quantile(all, 0.9) / Math.min(...all)
  })
  return Math.max(...spreads)
}

/** Kept, so that the calculation is not left out as useless. */
let calculated = 1

function calculate(): void {
  let value = calculated
  for (let round = 0; round < 15_000_000; round += 1) value = Math.imul(value ^ round, 0x9e3779b1)
  calculated = value
}

/** More than the caches of most processors hold. */
const source = Buffer.alloc(32_000_000, 1)
const target = Buffer.alloc(source.length, 1)

function copyInMemory(): void {
  for (let round = 0; round < 4; round += 1) source.copy(target)
}

/** Returns the processor times of all cores since the start, in ticks; zeros where the system does not tell them. */
async function processorTimes(): Promise<{ total: number; stolen: number }> {
  const [first = ''] = (await textOf('/proc/stat')).split('\n')
  const ticks = first.trim().split(/\s+/).slice(1, 9).map(Number)
  return { total: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 }
}

/** Processor time (ticks) of a program and of those that it started and that have ended. */
type Program = { parent: number; start: string; ticks: number; isOurs: boolean }

/** Id of the kernel's thread that starts all others of the kernel. */
const kernel = 2

/** Returns the running programs by id, without this process, what it started, the kernel and the first process. */
async function otherPrograms(): Promise<Map<number, Program>> {
  const names = process.platform === 'linux' ? await readdir('/proc') : []
  const pids = names.map(Number).filter((pid) => pid > 1)
  const all = new Map((await Promise.all(pids.map(programOf))).flatMap((found) => found ?? []))
  const isOwn = (pid: number): boolean =>
    pid === process.pid || all.get(pid)?.isOurs === true || (all.has(pid) && isOwn(all.get(pid)?.parent ?? 0))
  return new Map([...all].filter(([pid, { parent }]) => pid !== kernel && parent !== kernel && !isOwn(pid)))
}

/** Reads what the system reports about a program: see proc_pid_stat(5). */
async function programOf(pid: number): Promise<[number, Program][] | null> {
  const [stat, environment] = [await textOf(`/proc/${pid}/stat`), await textOf(`/proc/${pid}/environ`)]
  if (stat === '') return null
  // The name, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie has no environment, so one of ours would count as another program.
  if (fields[0] === 'Z') return null
  const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0)
  // Browsers and databases may outlive the process that started them for a moment.
  const isOurs = environment.includes(`SPOOL_TOOL_FOLDER=${process.env['SPOOL_TOOL_FOLDER']}\0`)
  return [[pid, { parent: Number(fields[1]), start: fields[19] ?? '', ticks, isOurs }]]
}

/** Returns the processor time (ticks) that programs took between two readings. */
function ticksBetween(before: Map<number, Program>, after: Map<number, Program>): number {
  const isLeft = (pid: number) => after.get(pid)?.start === before.get(pid)?.start
  // The time of a program that ended is in that of the one that started it, if that one is left.
  const isCounted = (pid: number): boolean =>
    before.has(pid) && (isLeft(pid) || isCounted(before.get(pid)?.parent ?? 0))
  const earlier = [...before].filter(([pid]) => isCounted(pid))
  const sum = (programs: [number, Program][]) => programs.reduce((total, [, { ticks }]) => total + ticks, 0)
  return Math.max(0, sum([...after]) - sum(earlier))
}

/** Returns the text of a file of the system; empty if it does not exist, or no longer. */
function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
