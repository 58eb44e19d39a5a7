import { asSentence, spelledCount, spelledNumber, listed, durationText } from './english.ts'
import type { Fact, PageVisit } from './fact-log.ts'
import { describePageVisit, type PageVisitDescription } from './describe-page-visit.ts'

export type Sentence = { text: string; fact: Fact }
type WeightedSentence = Sentence & { weight: number; pages: number }

/** Sentences about pages, besides the overview. */
const sentencesMax = 10
/** Shortest absence (ms) that gets a sentence, and the number of such sentences. */
const absenceMsMin = 120_000
const absencesMax = 2
/** Weight up to which a page is light: the person only clicked on to the next page. */
const lightWeightMax = 1

type Session = { facts: readonly Fact[]; visits: readonly PageVisit[]; names: ReadonlyMap<PageVisit, string> }

/** Describes a session page by page: groups pages of little activity, and keeps the sentences with the most weight. */
export function summarySentences(session: Session): Sentence[] {
  const { facts, visits, names } = session
  const byVisit = Map.groupBy(facts, ({ visit }) => visit)
  const descriptions = visits.flatMap((visit, index) => {
    const next = visits[index + 1]
    return describePageVisit(visit, byVisit.get(visit) ?? [], next ? `“${names.get(next)}”` : null) ?? []
  })
  const sentences = shortened(groupLightPages(descriptions).map((group) => sentenceOf(group, session)))
  const absences = facts.filter(({ kind, at, until }) => kind === 'idle' && until - at >= absenceMsMin)
  const longest = absences.toSorted((a, b) => b.until - b.at - (a.until - a.at)).slice(0, absencesMax)
  const away = longest.map((fact) => {
    return { text: `They were away for ${durationText(fact.until - fact.at)}.`, fact }
  })
  const first = overview(session)
  // An absence comes after the sentence of the page that was open.
  const rest = [...sentences, ...away].toSorted((a, b) => a.fact.at - b.fact.at)
  return first ? [first, ...rest] : rest
}

/** Returns the first sentence: the session's site, length and counts. */
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
    clicks === 0 ? 'no clicks' : spelledCount(clicks, 'click'),
    ...(filled > 0 ? [`${spelledCount(filled, 'field')} filled in`] : []),
    ...(windows > 1 ? [spelledCount(windows, 'tab')] : []),
  ]
  const where = first.host === '' ? '' : ` to ${first.host}`
  // Rounded down, as the recording's duration is.
  const length = durationText(Math.floor((last.end - first.start) / 1_000) * 1_000)
  const text = `A visit${where} lasting ${length}, starting on “${names.get(first)}”: ${listed(parts)}.`
  return { text, fact }
}

/** Groups consecutive light pages; any other page forms its own group. */
function groupLightPages(descriptions: readonly PageVisitDescription[]): PageVisitDescription[][] {
  const result: PageVisitDescription[][] = []
  for (const description of descriptions) {
    const last = result.at(-1)
    if (last?.every(isLight) && isLight(description)) last.push(description)
    else result.push([description])
  }
  return result
}

function isLight({ weight }: PageVisitDescription): boolean {
  return weight <= lightWeightMax
}

function sentenceOf(group: readonly PageVisitDescription[], { names }: Session): WeightedSentence {
  const [first] = group
  if (!first) throw new Error('a group must have a page')
  const weight = group.reduce((sum, description) => sum + description.weight, 0)
  const pages = group.reduce((sum, { visit }) => sum + visit.pages, 0)
  const { fact } = first
  const quoted = [...new Set(group.map(({ visit }) => `“${names.get(visit) ?? visit.path}”`))]
  const name = quoted[0] ?? ''
  if (first.visit.pages > 1)
    return { text: `They visited ${spelledNumber(pages)} more pages.`, fact, weight, pages }
  if (quoted.length === 1) {
    const text = first.text === '' ? `They opened ${name}.` : asSentence(`On ${name} they ${first.text}`)
    return { text, fact, weight, pages }
  }
  const folder = commonFolder(group.map(({ visit }) => visit.path))
  const compared = `compared ${spelledCount(quoted.length, 'page')} under ${folder}:`
  const verb = folder !== null && quoted.length > 2 ? compared : 'looked at'
  return { text: `They ${verb} ${listed(quoted, 6, 'page')}.`, fact, weight, pages }
}

/** Returns the folder below the root that contains all the paths, or null. */
function commonFolder(paths: readonly string[]): string | null {
  const folders = new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/'))))
  const [folder = ''] = folders
  return folders.size === 1 && folder !== '' ? folder : null
}

/** Keeps the first, the last and the heaviest sentences; replaces the others by one. */
function shortened(sentences: readonly WeightedSentence[]): WeightedSentence[] {
  if (sentences.length <= sentencesMax) return [...sentences]
  const middle = sentences.slice(2, -2).toSorted((a, b) => b.weight - a.weight)
  const dropped = new Set(middle.slice(sentencesMax - 5))
  const [first] = sentences.filter((sentence) => dropped.has(sentence))
  const pages = [...dropped].reduce((sum, sentence) => sum + sentence.pages, 0)
  return sentences.flatMap((sentence) => {
    if (!dropped.has(sentence)) return [sentence]
    const text = `In between, they saw ${spelledNumber(pages)} more ${pages === 1 ? 'page' : 'pages'}, where less happened.`
    return sentence === first ? [{ ...sentence, text }] : []
  })
}
