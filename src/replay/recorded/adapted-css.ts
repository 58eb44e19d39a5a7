import type { Contrast } from './page-state.ts'

/** Attributes that replace the focus pseudo-classes, which never match in a document that cannot be focused. */
export const focusAttributes = {
  focus: 'data-replayed-focus',
  'focus-visible': 'data-replayed-focus-visible',
  'focus-within': 'data-replayed-focus-within',
} as const
/** Attribute that replaces `:target`, which the address of the replayed document never matches. */
export const targetAttribute = 'data-replayed-target'

/** Start of the condition that stands for one on the contrast until the visitor's is known. */
export const contrastStart = '(recorded-contrast:'

/** Makes adapted CSS depend on the visitor's contrast instead of the viewer's. */
export function withContrast(css: string, contrast: Contrast): string {
  if (!css.includes(contrastStart)) return css
  return css.replaceAll(/\(recorded-contrast:([\w-]*)\)/g, (_, wanted: string) =>
    condition(wanted === '' ? contrast !== 'no-preference' : wanted === contrast),
  )
}

/** Returns the query with which the service serves a style sheet for a contrast. */
export function contrastQuery(contrast: Contrast): string {
  return contrast === 'no-preference' ? '' : `?contrast=${contrast}`
}

/** Returns a condition that every window meets, or none. */
export function condition(isMet: boolean): string {
  return isMet ? '(min-width: 0)' : '(max-width: 0)'
}
