import type { RecordingEvent } from '../../../contract/recordings/session-recording.ts'

/** Describes a captured event in plain words; the text never contains what the visitor typed. */
export function eventInWords({ event, properties, elements_chain: chain }: RecordingEvent): string {
  const property = (name: string) => {
    const value = properties[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  switch (event) {
    case '$pageview':
      return `Went to ${pageName(property('title')) || property('$pathname') || property('$current_url') || 'a page'}`
    case '$screen':
      return `Went to ${property('$screen_name') || 'a screen'}`
    case '$pageleave':
      return `Left ${property('$pathname') || 'the page'}`
    case '$autocapture':
      return actionInWords(property('$event_type'), property('$el_text'), chain)
    case '$rageclick':
      return `Clicked ${elementInWords(property('$el_text'), chain)} again and again`
    case '$dead_click':
      return `Clicked ${elementInWords(property('$el_text'), chain)}, and nothing happened`
    case '$exception':
      return `Error: ${property('$exception_message') || firstException(properties) || 'an exception'}`
    case '$identify':
      return 'Identified the visitor'
    default:
      return eventNames[event] ?? event
  }
}

/** Events of posthog-js about itself, which say nothing about what the visitor did. */
export const ownEvents = new Set([
  '$set',
  '$feature_flag_called',
  '$web_vitals',
  '$$heatmap',
  '$groupidentify',
  '$opt_in',
])

const eventNames: Record<string, string> = {
  $copy_autocapture: 'Copied or cut text',
  $create_alias: 'Linked the visitor to another id',
  'survey shown': 'Saw a survey',
  'survey sent': 'Answered a survey',
  'survey dismissed': 'Dismissed a survey',
}

/** Returns a page's title without the site's name after it. */
function pageName(title: string): string {
  return title.split(/ [–—|·•-] /)[0] ?? ''
}

function actionInWords(action: string, text: string, chain: string): string {
  switch (action) {
    case 'click':
    case 'touch':
      return `Clicked ${elementInWords(text, chain)}`
    case 'change':
      return `${/^select\b/.test(chain) ? 'Chose' : 'Typed'} in ${fieldName(chain) || 'a field'}`
    case 'submit':
      return 'Submitted the form'
    default:
      return `Used ${elementInWords(text, chain)}`
  }
}

function elementInWords(text: string, chain: string): string {
  const name = text || fieldName(chain)
  if (name) return `“${name}”`
  const [tag = ''] = /^[\w-]*/.exec(chain) ?? []
  return { a: 'a link', button: 'a button', input: 'a field', img: 'a picture' }[tag] ?? 'the page'
}

/** Returns the label of the clicked or changed element, the first of the chain; "" if it has none. */
function fieldName(chain: string): string {
  const [element = ''] = /^(?:[^;"]|"(?:[^"\\]|\\.)*")*/.exec(chain) ?? []
  const [label = ''] = /;label\b(?:[^;"]|"(?:[^"\\]|\\.)*")*/.exec(chain.slice(0, 2_000)) ?? []
  const attribute = (name: string, of: string) =>
    new RegExp(`(?:^|[":])${name}="((?:[^"\\\\]|\\\\.)+)"`).exec(of)?.[1] ?? ''
  return (
    attribute('attr__aria-label', element) ||
    (/^(input|select|textarea)\b/.test(element) ? attribute('text', label) : '') ||
    attribute('attr__placeholder', element) ||
    attribute('attr__name', element)
  )
}

function firstException(properties: Record<string, unknown>): string {
  const list = properties['$exception_list']
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  if (typeof first !== 'object' || first === null) return ''
  const { type, value }: { type?: unknown; value?: unknown } = first
  return [type, value].filter((part) => typeof part === 'string').join(': ')
}
