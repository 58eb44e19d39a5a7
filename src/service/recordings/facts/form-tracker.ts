import type { FactLog, PageVisit } from './fact-log.ts'
import { elementPhrase, nameElement, type ElementName } from './element-name.ts'
import { attributeOf } from './node-table.ts'
import type { BrowserWindow } from './browser-window.ts'

/** Time (ms) after typing within which a change of page counts as submitting the form with Enter. */
const enterMsMax = 2000
/** Labels of buttons that submit fields outside of a form element. */
const submitLabels =
  /\b(submit|send|save|pay|buy|order|book|continue|next|sign|log ?in|register|subscribe|apply|search|find|confirm|create|add|post|checkout|check out|join|donate|go)\b/i
const searchLabels = /\b(search|find|query|q)\b/i
/** Typed texts kept, and letters kept of each. */
const typedTextsMax = 1000
const typedLengthMax = 500
const formsMax = 100

type Form = {
  window: string
  id: number | null
  visit: PageVisit
  fields: Map<number, string>
  lastAt: number
  /** Visible text of the page before anything was typed; these words are not secret. */
  visibleText: string
}

/** Tracks which forms are filled in and submitted. Keeps typed texts only to remove them from the summary. */
export class FormTracker {
  /** Typed texts. */
  readonly typed = new Set<string>()
  private readonly log: FactLog
  private readonly forms = new Map<string, Form>()
  private readonly texts = new Map<string, string>()

  constructor(log: FactLog) {
    this.log = log
  }

  /** Records an input; returns whether it was typing rather than, say, ticking a box. */
  input({ id: window, table }: BrowserWindow, node: number, text: string, at: number): boolean {
    const formId = table.closest(node, 'form')?.id ?? null
    const known = this.forms.get(`${window} ${formId}`)
    const about = known?.fields.get(node) ?? fieldName(nameElement(table, node))
    if (about === null) return false
    if (text === '') return true
    const form = known ?? this.open(window, formId, table.visibleText, at)
    this.remember(`${window} ${node}`, text, form.visibleText)
    form.lastAt = at
    if (!form.fields.has(node)) this.log.add({ kind: 'typed', at, about })
    form.fields.set(node, about)
    if (this.forms.size > formsMax) this.forms.delete(this.forms.keys().next().value ?? '')
    return true
  }

  /** Records a click, which may submit a form. */
  click({ id: window, table }: BrowserWindow, element: ElementName, at: number): void {
    if (element.kind !== 'button') return
    const formId = table.closest(element.id, 'form')?.id ?? null
    const form = this.forms.get(`${window} ${formId}`)
    const button = table.get(element.id)
    const type = (button && attributeOf(button, 'type')) ?? 'submit'
    if (
      form &&
      (formId !== null ? type === 'submit' || type === 'image' : submitLabels.test(element.name ?? ''))
    )
      this.submit(form, at, elementPhrase(element))
  }

  /** Records that the browser reported a submitted form in this window. */
  submitted(window: string, at: number): void {
    const form = this.forms.values().find((form) => form.window === window)
    if (form) this.submit(form, at, null)
  }

  /** Records that the page was left: a form edited just before was submitted with Enter, any other abandoned. */
  left(window: string, at: number): void {
    for (const form of this.forms.values().filter((form) => form.window === window)) {
      if (at - form.lastAt <= enterMsMax) this.submit(form, form.lastAt, null)
      else this.abandon(form)
    }
  }

  end(): void {
    for (const form of this.forms.values()) this.abandon(form)
  }

  private open(window: string, id: number | null, visibleText: string, at: number): Form {
    const form: Form = { window, id, visit: this.log.current, fields: new Map(), lastAt: at, visibleText }
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
    // A search can succeed without being submitted.
    if (fields.length === 1 && searchLabels.test(fields[0] ?? '')) return
    this.log.add({ kind: 'abandoned_form', at: form.lastAt, about: 'form', fields, visit: form.visit })
  }

  private remember(field: string, text: string, visibleText: string): void {
    const before = this.texts.get(field)
    if (this.texts.size > typedTextsMax) this.texts.clear()
    this.texts.set(field, text.slice(0, typedLengthMax))
    if (text.includes('**') || visibleText.includes(text.toLowerCase())) return
    // A longer version replaces the text before; any other text is added.
    if (before !== undefined && text.startsWith(before)) this.typed.delete(before)
    this.typed.add(text.slice(0, typedLengthMax))
    if (this.typed.size > typedTextsMax) this.typed.delete(this.typed.values().next().value ?? '')
  }
}

/** Names a field; returns null for an element that is ticked or pressed instead of typed into. */
function fieldName(element: ElementName): string | null {
  if (element.kind === 'choice' || element.kind === 'button') return null
  return elementPhrase(element.kind === 'field' ? element : { ...element, kind: 'field', name: null })
}
