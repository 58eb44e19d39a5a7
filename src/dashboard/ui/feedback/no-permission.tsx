import { Suspense } from 'react'
import { lazyNamed } from '../lazy-named.ts'
import type { MissingScopeProps } from './missing-scope.tsx'

const MissingScope = lazyNamed(() => import('./missing-scope.tsx'), 'MissingScope')

/** Says which scope the key or role lacks; the words are loaded only then. */
export function NoPermission(props: MissingScopeProps) {
  return (
    <Suspense>
      <MissingScope {...props} />
    </Suspense>
  )
}
