import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { CaptureSnippet } from './capture-snippet.tsx'

/** Explains how to get recordings if there are none yet. */
export function NoRecordings() {
  return (
    <EmptyState title="No recordings yet">
      <p>
        A recording shows what a visitor saw and did. To record your pages, point posthog-js at this service:
      </p>
      <CaptureSnippet />
      <p>
        Or visit the{' '}
        <a href="/demo/" target="_blank" rel="noreferrer" className="underline underline-offset-3">
          demo shop
        </a>
        , which records its visitors.
      </p>
    </EmptyState>
  )
}
