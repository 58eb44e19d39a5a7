import { lazy, type ComponentType } from 'react'

/** Loads a named component of another module when it is first rendered. */
export function lazyNamed<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await load())[name] }))
}
