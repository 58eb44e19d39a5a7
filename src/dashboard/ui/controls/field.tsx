import { useId, type ComponentPropsWithRef, type ReactNode } from 'react'

type FieldLabels = { label: ReactNode; hint?: ReactNode; error?: ReactNode; optional?: boolean | undefined }
/** `warning` is shown if there is no error. */
type Warned = { warning?: ReactNode }

/** Renders a control with its label, hint and error. */
export function Field(props: FieldLabels & Warned & { id: string; children: ReactNode }) {
  const { label, hint, error, warning, optional, id, children } = props
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

/** Splits the properties of a control with a field into those of each. */
function useField<Props extends FieldLabels & Warned>(props: Props) {
  const { label, hint, error, warning, optional, ...rest } = props
  const aria = useFieldAria({ hint, error, warning })
  return { field: { id: aria.id, label, hint, error, warning, optional }, control: { ...rest, ...aria } }
}

type TextFieldProps = Control<'input'> & Warned & { suggestions?: readonly string[] }

export function TextField({ suggestions, ...props }: TextFieldProps) {
  const { field, control } = useField(props)
  const listId = useId()
  return (
    <Field {...field}>
      <input list={suggestions && listId} {...control} className="field" />
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

export function TextareaField(props: Control<'textarea'>) {
  const { field, control } = useField(props)
  return (
    <Field {...field}>
      <textarea {...control} className="field mono min-h-24 py-1.5" />
    </Field>
  )
}

export function SelectField(props: Control<'select'>) {
  const { field, control } = useField(props)
  return (
    <Field {...field}>
      <select {...control} className="field" />
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
