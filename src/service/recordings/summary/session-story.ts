import { spelledCount, inLetters, listed, span } from './english.ts'
import type { Fact, Visit } from './fact-log.ts'
import { tellVisit, type VisitStory } from './visit-story.ts'

export type Sentence = { text: string; fact: Fact }
type Told = Sentence & { weight: number; pages: number }

/** Sentences about what was done, beside the first one. */
const sentencesMax = 10
/** Milliseconds away that are worth a sentence, and how many such sentences. */
const awayMin = 120_000
const awaysMax = 2
/** A page where no more was done than clicking on to the next one. */
const lightMax = 1

type Session = { facts: readonly Fact[]; visits: readonly Visit[]; names: ReadonlyMap<Visit, string> }

/** The story of a session, page by page in order: what is alike is told together, and of much only what weighs most. */
export function tellStory(session: Session): Sentence[] {
  const { facts, visits, names } = session
  const byVisit = Map.groupBy(facts, ({ visit }) => visit)
  const stories = visits.flatMap((visit, index) => {
    const next = visits[index + 1]
    return tellVisit(visit, byVisit.get(visit) ?? [], next ? `“${names.get(next)}”` : null) ?? []
  })
  const told = shortened(groups(stories).map((group) => sentenceOf(group, session)))
  const aways = facts.filter(({ kind, at, until }) => kind === 'idle' && until - at >= awayMin)
  const longest = aways.toSorted((a, b) => b.until - b.at - (a.until - a.at)).slice(0, awaysMax)
  const away = longest.map((fact) => ({ text: `They were away for ${span(fact.until - fact.at)}.`, fact }))
  const first = overview(session)
  // An away belongs after the sentence of the page that was open.
  const rest = [...told, ...away].toSorted((a, b) => a.fact.at - b.fact.at)
  return first ? [first, ...rest] : rest
}

/** How much there was. */
function overview({ facts, visits, names }: Session): Sentence | null {
  const [fact] = facts
  const [first] = visits
  const last = visits.at(-1)
  if (!fact || !first || !last) return null
  const pages = visits.reduce((sum, visit) => sum + visit.pages, 0)
  const clicks = visits.reduce((sum, visit) => sum + visit.clicks, 0)
  const filled = new Set(facts.filter(({ kind }) => kind === 'typed').map(({ about }) => about)).size
  const windows = new Set(visits.map(({ window }) => window)).size
  const parts = [
    spelledCount(pages, 'page'),
    clicks === 0 ? 'no click' : spelledCount(clicks, 'click'),
    ...(filled > 0 ? [`${spelledCount(filled, 'field')} filled in`] : []),
    ...(windows > 1 ? [spelledCount(windows, 'tab')] : []),
  ]
  const where = first.host === '' ? '' : ` to ${first.host}`
  const length = span(last.end - first.start)
  return { text: `A visit${where} of ${length} that began on “${names.get(first)}”: ${listed(parts)}.`, fact }
}

/** Light pages next to each other make one group, any other page is its own. */
function groups(stories: readonly VisitStory[]): VisitStory[][] {
  const result: VisitStory[][] = []
  for (const story of stories) {
    const last = result.at(-1)
    if (last?.every(isLight) && isLight(story)) last.push(story)
    else result.push([story])
  }
  return result
}

function isLight({ weight }: VisitStory): boolean {
  return weight <= lightMax
}

function sentenceOf(group: readonly VisitStory[], { names }: Session): Told {
  const [first] = group
  if (!first) throw new Error('a group has a page')
  const weight = group.reduce((sum, story) => sum + story.weight, 0)
  const pages = group.reduce((sum, { visit }) => sum + visit.pages, 0)
  const { fact } = first
  const quoted = [...new Set(group.map(({ visit }) => `“${names.get(visit) ?? visit.path}”`))]
  const name = quoted[0] ?? ''
  if (first.visit.pages > 1)
    return { text: `They went on through ${inLetters(pages)} more pages.`, fact, weight, pages }
  if (quoted.length === 1) {
    const text = first.text === '' ? `They opened ${name}.` : `On ${name} they ${first.text}.`
    return { text, fact, weight, pages }
  }
  const folder = commonFolder(group.map(({ visit }) => visit.path))
  const verb =
    folder !== null && quoted.length > 2
      ? `compared ${spelledCount(quoted.length, 'page')} under ${folder}:`
      : 'looked at'
  return { text: `They ${verb} ${listed(quoted, 6, 'page')}.`, fact, weight, pages }
}

/** The folder that pages lie in, when they all lie in one below the root. */
function commonFolder(paths: readonly string[]): string | null {
  const folders = new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/'))))
  const [folder = ''] = folders
  return folders.size === 1 && folder !== '' ? folder : null
}

/** The first and the last ones stay, and those that weigh most; one sentence stands for the others. */
function shortened(told: readonly Told[]): Told[] {
  if (told.length <= sentencesMax) return [...told]
  const middle = told.slice(2, -2).toSorted((a, b) => b.weight - a.weight)
  const dropped = new Set(middle.slice(sentencesMax - 5))
  const [first] = told.filter((sentence) => dropped.has(sentence))
  const pages = [...dropped].reduce((sum, sentence) => sum + sentence.pages, 0)
  return told.flatMap((sentence) => {
    if (!dropped.has(sentence)) return [sentence]
    const text = `In between they saw ${inLetters(pages)} more ${pages === 1 ? 'page' : 'pages'}, where less happened.`
    return sentence === first ? [{ ...sentence, text }] : []
  })
}
