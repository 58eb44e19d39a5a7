import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cores, machineMemory } from '../../src/service/machine.ts'
import { holds, type Figure } from './bench-figure.ts'
import { isTooNoisy, type Noise } from './bench-noise.ts'

const root = join(import.meta.dirname, '../..')

/** A part of the benchmark, how long it took, what disturbed it, and why it has no figures, if it failed. */
export type MeasuredPart = {
  name: string
  seconds: number
  noise: Noise
  figures: Figure[]
  failure: string | null
  /** The measurement that does not count, if there are two. */
  other: MeasuredPart | null
}

/** Figures with the machine and the commit that they belong to. */
export type Report = {
  commit: string
  measuredAt: string
  machine: Machine
  seconds: number
  parts: MeasuredPart[]
}

type Machine = { processor: string; cores: number; memory: string; node: string }

/** @param seconds how long measuring the parts took, some of them again */
export async function report(parts: MeasuredPart[], seconds: number): Promise<Report> {
  const { stdout } = await promisify(execFile)('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root })
  const machine = {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cores(),
    memory: `${Math.round(machineMemory() / 1e9)} GB`,
    node: process.version,
  }
  return { commit: stdout.trim(), measuredAt: new Date().toISOString(), machine, seconds, parts }
}

/** Describes a part with a line for each figure. */
export function partInWords({ name, seconds, noise, figures, failure }: MeasuredPart): string {
  return [
    `\n${name} (${Math.round(seconds)} s)`,
    ...(failure === null ? [] : [`  FAILED  ${failure}`]),
    ...(isTooNoisy(noise) ? [`  This machine is too noisy to judge: ${noiseInWords(noise)}.`] : []),
    ...figures.map(
      (figure) =>
        `  ${holds(figure) ? 'holds ' : 'BROKEN'}  ${figure.name.padEnd(58)} ${valueOf(figure)}  (${boundOf(figure)}${growthOf(figure)})${noteOf(figure)}`,
    ),
  ].join('\n')
}

/** Writes the page of the benchmark: machine, commit, figures and bounds. `chosen`: the names of its parts; none if it has all. */
export async function writePage(
  { commit, measuredAt, machine, seconds, parts }: Report,
  chosen: readonly string[],
): Promise<void> {
  const all = parts.flatMap(({ figures }) => figures)
  const lines = [
    '# Benchmarks',
    '',
    `Written by \`${['npm run bench -- --page', ...chosen].join(' ')}\` on ${measuredAt.slice(0, 10)} from commit ${commit}. Machine: ${machine.processor}, ${machine.cores} cores, ${machine.memory} of memory, Node ${machine.node}. It took ${(seconds / 60).toFixed(1)} minutes; ${all.filter(holds).length} of ${all.length} figures hold. A bound that is a multiple (×) compares two measurements of one run; the others depend on the machine.`,
    ...parts.flatMap(({ name, seconds, noise, figures, failure, other }) => [
      '',
      `## ${name}`,
      '',
      `Took ${Math.round(seconds)} s${otherInWords(other)}.${isTooNoisy(noise) ? ` The machine was too noisy to judge: ${noiseInWords(noise)}.` : ''}`,
      '',
      ...(failure === null ? [] : [`It failed: ${failure}`, '']),
      '| | measured | bound |',
      '| --- | --- | --- |',
      ...figures.map(
        (figure) =>
          `| ${`${figure.name}${growthOf(figure)}${noteOf(figure)}`.replaceAll('|', '\\|')} | ${valueOf(figure)} | ${boundOf(figure)}${holds(figure) ? '' : ': **missed**'} |`,
      ),
    ]),
  ]
  await writeFile(join(root, '.github/BENCHMARKS.md'), `${lines.join('\n')}\n`)
}

function otherInWords(other: MeasuredPart | null): string {
  if (other === null) return ''
  const missed = other.figures.filter((figure) => !holds(figure)).length
  return ` and was measured twice; in the other measurement, ${missed} of ${other.figures.length} figures missed their bounds (${noiseInWords(other.noise)})`
}

function noiseInWords({ spread, stolen, others }: Noise): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  return `the same work took up to ${spread.toFixed(2)} times as long; other machines took ${percent(stolen)} of the time, other programs ${percent(others)}`
}

function valueOf({ measured, unit }: Figure): string {
  return `${measured >= 1000 ? Math.round(measured).toLocaleString('en') : measured.toFixed(2)} ${unit}`
}

function growthOf({ measured, hundredth }: Figure): string {
  return hundredth === undefined
    ? ''
    : `; ${(measured / hundredth).toFixed(1)} × as much as with a hundredth of the data`
}

function noteOf({ note }: Figure): string {
  return note === undefined ? '' : `; ${note}`
}

function boundOf({ bound, unit, atLeast = false }: Figure): string {
  return `${atLeast ? '≥' : '≤'} ${bound.toLocaleString('en')} ${unit}`
}
