import type { MaskableText, PrivacySettings } from './privacy-settings.ts'

export type TextMasks = Pick<PrivacySettings, 'masked_texts' | 'masked_patterns'>

const masks: Record<MaskableText, (text: string) => string> = {
  email: (text) =>
    text.includes('@') || text.includes('%40')
      ? text.replaceAll(/[\w.+-]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, '[email]')
      : text,
  card: (text) =>
    text.replaceAll(/(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g, (digits) => (isCard(digits) ? '[card]' : digits)),
}

/** Patterns of all projects that were used lately. */
const expressions = new Map<string, RegExp>()
const expressionsMax = 1000

/**
 * Replaces texts of these kinds, such as e-mail addresses, by their kind in brackets, and what matches a project's own patterns by
 * asterisks.
 */
export function maskText(text: string, { masked_texts, masked_patterns }: TextMasks): string {
  const known = masked_texts.reduce((masked, kind) => masks[kind](masked), text)
  return masked_patterns.reduce(
    (masked, pattern) => masked.replaceAll(expressionOf(pattern), (found) => blank(found)),
    known,
  )
}

/** Replaces every character but white space, so that a page keeps its layout. */
export function blank(text: string): string {
  return text.replaceAll(/\S/gu, '*')
}

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern)
  if (known) return known
  if (expressions.size >= expressionsMax) expressions.clear()
  const expression = new RegExp(pattern, 'g')
  expressions.set(pattern, expression)
  return expression
}

/** Whether the last digit is the check digit (Luhn) of a card's number. */
function isCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  let sum = 0
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = index % 2 === 0 ? Number(digit) : 2 * Number(digit)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0 && !/^0+$/.test(digits)
}
