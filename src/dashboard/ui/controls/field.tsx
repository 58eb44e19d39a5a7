import { useId, type ComponentPropsWithRef, type ReactNode } from 'react'

type FieldLabels = { label: ReactNode; hint?: ReactNode; error?: ReactNode; optional?: boolean }
/** `warning` is shown if there is no error. */
type Warned = { warning?: ReactNode }

/** Renders a control with its label, hint and error. */
export function Field({
  label,
  hint,
  error,
  warning,
  optional,
  id,
  children,
}: FieldLabels & Warned & { id: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
        {optional && <span className="font-normal text-ink-3"> (optional)</span>}
      </label>
      {children}
      {error && (
        <div id={`${id}-error`} className="text-fail-ink wrap-anywhere">
          {error}
        </div>
      )}
      {!error && warning && (
        <div id={`${id}-warning`} className="text-short-ink wrap-anywhere">
          {warning}
        </div>
      )}
      {hint && (
        <div id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </div>
      )}
    </div>
  )
}

/** Returns the attributes that connect a control to its `Field`: spread them over the control, and pass the id to the field. */
export function useFieldAria({ error, warning, hint }: Pick<FieldLabels, 'error' | 'hint'> & Warned) {
  const id = useId()
  const described = [error ? `${id}-error` : warning && `${id}-warning`, hint && `${id}-hint`]
    .filter(Boolean)
    .join(' ')
  return { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined }
}

type Control<Tag extends 'input' | 'select' | 'textarea'> = FieldLabels &
  Omit<ComponentPropsWithRef<Tag>, 'className'>

type TextFieldProps = Control<'input'> & Warned & { suggestions?: readonly string[] }

export function TextField(props: TextFieldProps) {
  const { label, hint, error, warning, optional, suggestions, ...rest } = props
  const listId = useId()
  const aria = useFieldAria({ hint, error, warning })
  return (
    <Field
      id={aria.id}
      label={label}
      hint={hint}
      error={error}
      warning={warning}
      optional={optional ?? false}
    >
      <input list={suggestions && listId} {...rest} {...aria} className="field" />
      {suggestions && <Suggestions id={listId} texts={suggestions} />}
    </Field>
  )
}

/** Texts that the browser suggests in the field whose `list` is this id. */
export function Suggestions({ id, texts }: { id: string; texts: readonly string[] }) {
  return (
    <datalist id={id}>
      {texts.map((text) => (
        <option key={text}>{text}</option>
      ))}
    </datalist>
  )
}

export function TextareaField({ label, hint, error, optional, ...rest }: Control<'textarea'>) {
  const aria = useFieldAria({ hint, error })
  return (
    <Field id={aria.id} label={label} hint={hint} error={error} optional={optional ?? false}>
      <textarea {...rest} {...aria} className="field mono min-h-24 py-1.5" />
    </Field>
  )
}

export function SelectField({ label, hint, error, optional, children, ...rest }: Control<'select'>) {
  const aria = useFieldAria({ hint, error })
  return (
    <Field id={aria.id} label={label} hint={hint} error={error} optional={optional ?? false}>
      <select {...rest} {...aria} className="field">
        {children}
      </select>
    </Field>
  )
}

export function CheckboxField({ label, hint, ...rest }: Control<'input'>) {
  const id = useId()
  return (
    <div className="flex flex-col">
      <label className="flex items-start gap-2">
        <input {...rest} type="checkbox" aria-describedby={hint ? id : undefined} className="mt-[3.5px]" />
        {label}
      </label>
      {hint && (
        <p id={id} className="pl-[21px] text-xs text-ink-3">
          {hint}
        </p>
      )}
    </div>
  )
}
