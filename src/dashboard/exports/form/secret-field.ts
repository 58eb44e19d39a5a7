import type { Origin } from '../values/export-values.ts'
import type { DestinationFieldsProps } from './destination-fields-props.ts'

/** Attributes of a field whose text is a name or an address. */
export const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

const kept: Record<Origin['kind'], string> = {
  edited: 'unchanged — type to replace',
  cloned: 'as in the original — type to replace',
}

/** Returns the props of a field for a secret: an empty one keeps the origin's. */
export function secretField<Field extends { error?: unknown }>(
  field: Field,
  { secretsOf, isMoved }: Pick<DestinationFieldsProps, 'secretsOf' | 'isMoved'>,
) {
  return {
    ...plain,
    ...field,
    type: 'password',
    required: secretsOf === null,
    placeholder: secretsOf ? kept[secretsOf] : undefined,
    // An error says the same.
    hint: isMoved && !field.error && 'Enter it again: a stored secret is never used at another address.',
  }
}
