import type { FactLog, Visit } from './fact-log.ts'
import { inWords, nameElement, type ElementName } from './element-name.ts'
import type { BrowserWindow } from './browser-window.ts'

/** After typing, a change of page within so many milliseconds was the form's. */
const enterMax = 2000
/** Words on a button that sends what was typed, where no form says so. */
const sends =
  /\b(submit|send|save|pay|buy|order|book|continue|next|sign|log ?in|register|subscribe|apply|search|find|confirm|create|add|post|checkout|check out|join|donate|go)\b/i
const searches = /\b(search|find|query|q)\b/i
/** So many texts, and so many letters of each, are kept. */
const typedMax = 1000
const typedLength = 500
const formsMax = 100

type Form = {
  window: string
  id: number | null
  visit: Visit
  fields: Map<number, string>
  lastAt: number
  /** What the page showed before anything was typed: these words are its own, and no secret. */
  shown: string
}

/** Follows what is typed into forms, and whether they are sent. The texts are kept only to be taken out of everything else. */
export class FormTracker {
  /** What was typed. */
  readonly typed = new Set<string>()
  private readonly log: FactLog
  private readonly forms = new Map<string, Form>()
  private readonly texts = new Map<string, string>()

  constructor(log: FactLog) {
    this.log = log
  }

  /** Returns whether it was typing, and not ticking a box. */
  input({ id: window, table }: BrowserWindow, node: number, text: string, at: number): boolean {
    const formId = table.upwards(node).find(({ tag }) => tag === 'form')?.id ?? null
    const known = this.forms.get(`${window} ${formId}`)
    const about = known?.fields.get(node) ?? fieldName(nameElement(table, node))
    if (about === null) return false
    if (text === '') return true
    const form = known ?? this.open(window, formId, table.shown, at)
    this.remember(`${window} ${node}`, text, form.shown)
    form.lastAt = at
    if (!form.fields.has(node)) this.log.add({ kind: 'typed', at, about })
    form.fields.set(node, about)
    if (this.forms.size > formsMax) this.forms.delete(this.forms.keys().next().value ?? '')
    return true
  }

  /** A click may send a form. */
  click({ id: window, table }: BrowserWindow, element: ElementName, at: number): void {
    if (element.kind !== 'button') return
    const formId = table.upwards(element.id).find(({ tag }) => tag === 'form')?.id ?? null
    const form = this.forms.get(`${window} ${formId}`)
    const type = table.get(element.id)?.attributes['type'] ?? 'submit'
    if (form && (formId !== null ? type === 'submit' || type === 'image' : sends.test(element.name ?? '')))
      this.submit(form, at, inWords(element))
  }

  /** The browser said that a form was sent in this window. */
  submitted(window: string, at: number): void {
    const form = this.forms.values().find((form) => form.window === window)
    if (form) this.submit(form, at, null)
  }

  /** The page was left: what was not sent by then never was, except that Enter needs no click. */
  left(window: string, at: number): void {
    for (const form of this.forms.values().filter((form) => form.window === window)) {
      if (at - form.lastAt <= enterMax) this.submit(form, form.lastAt, null)
      else this.abandon(form)
    }
  }

  end(): void {
    for (const form of this.forms.values()) this.abandon(form)
  }

  private open(window: string, id: number | null, shown: string, at: number): Form {
    const form: Form = { window, id, visit: this.log.current, fields: new Map(), lastAt: at, shown }
    this.forms.set(`${window} ${id}`, form)
    return form
  }

  private submit(form: Form, at: number, about: string | null): void {
    const fields = [...new Set(form.fields.values())]
    this.log.add({ kind: 'submitted', at, about: about ?? 'Enter', fields, visit: form.visit })
    this.forms.delete(`${form.window} ${form.id}`)
  }

  private abandon(form: Form): void {
    this.forms.delete(`${form.window} ${form.id}`)
    const fields = [...new Set(form.fields.values())]
    // Looking for something is done as soon as it is found, with or without sending it.
    if (fields.length === 1 && searches.test(fields[0] ?? '')) return
    this.log.add({ kind: 'abandoned_form', at: form.lastAt, about: 'form', fields, visit: form.visit })
  }

  private remember(field: string, text: string, shown: string): void {
    const before = this.texts.get(field)
    if (this.texts.size > typedMax) this.texts.clear()
    this.texts.set(field, text.slice(0, typedLength))
    if (text.includes('**') || shown.includes(text.toLowerCase())) return
    // Each letter more replaces the text before; another text is one more.
    if (before !== undefined && text.startsWith(before)) this.typed.delete(before)
    this.typed.add(text.slice(0, typedLength))
    if (this.typed.size > typedMax) this.typed.delete(this.typed.values().next().value ?? '')
  }
}

/** Null for what is ticked or pressed instead of typed into. */
function fieldName(element: ElementName): string | null {
  if (element.kind === 'choice' || element.kind === 'button') return null
  return inWords(element.kind === 'field' ? element : { ...element, kind: 'field', name: null })
}
