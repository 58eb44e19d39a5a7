import type { ComponentPropsWithRef } from 'react'
import { CheckboxField, SelectField, TextareaField, TextField } from '../ui/controls/field.tsx'
import type { ConnectionField } from './connection-fields.ts'

type Registered = Pick<ComponentPropsWithRef<'input'>, 'name'> & {
  ref: (element: HTMLElement | null) => void
  onChange: (event: { target: unknown; type?: unknown }) => Promise<unknown>
  onBlur: (event: { target: unknown; type?: unknown }) => Promise<unknown>
}

type ConnectionControlProps = Registered & { field: ConnectionField; error: string | undefined }

/** One field of a connection's form; the other props register it. */
export function ConnectionControl({ field, error, ...registered }: ConnectionControlProps) {
  const { label, hint, placeholder, optional } = field
  const shared = { ...registered, label, hint, error, optional, autoComplete: 'off' } as const
  switch (field.control) {
    case 'choice':
      return (
        <SelectField {...shared}>
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </SelectField>
      )
    case 'switch':
      return <CheckboxField {...registered} label={label} hint={hint} />
    case 'lines':
      return <TextareaField {...shared} placeholder={placeholder} spellCheck={false} />
    default: {
      const type = field.control === 'secret' ? 'password' : (field.control ?? 'text')
      return (
        <TextField
          {...shared}
          type={type}
          placeholder={placeholder}
          autoCapitalize="off"
          spellCheck={false}
          {...(type === 'password' && { autoComplete: 'new-password' })}
        />
      )
    }
  }
}
