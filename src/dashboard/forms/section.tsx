import type { ReactNode } from 'react'

/** A group of fields under one question. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-3 w-full border-b border-line pb-1.5 text-lg font-semibold">{title}</legend>
      {children}
    </fieldset>
  )
}
