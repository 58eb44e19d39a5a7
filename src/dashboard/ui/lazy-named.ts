import { lazy, type ComponentType } from 'react'

type PropsOf<Component> = Component extends (props: infer Props) => unknown ? Props : never

/** Loads a named component of another module when it is first rendered. */
export function lazyNamed<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return lazy(async () => ({ default: (await load())[name] as ComponentType<PropsOf<Module[Name]>> }))
}
