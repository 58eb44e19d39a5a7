import { useState } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { copyText } from '../../ui/feedback/copy-text.ts'
import { embedCode } from './shared-link.ts'

/** The HTML that embeds a shared recording, and how the result looks. */
export function EmbedCode({ link }: { link: { access_token: string } }) {
  const [isShown, setIsShown] = useState(false)
  const code = embedCode(link)
  const copy = () =>
    copyText(code, 'Embed code copied.', 'The browser blocked copying. Select the text and copy it.')
  return (
    <div className="flex flex-col gap-2">
      <code className="rounded-md border border-line-strong bg-sunken px-3 py-2 text-xs wrap-anywhere select-all">
        {code}
      </code>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copy()}>
          <Icon name="copy" /> Copy embed code
        </Button>
        <Button aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? 'Hide preview' : 'Preview'}
        </Button>
      </div>
      {isShown && (
        <>
          <p className="text-xs text-ink-3">The preview counts as a view.</p>
          {/* oxlint-disable-next-line react/iframe-missing-sandbox -- this service's own page, which needs its origin */}
          <iframe
            src={`/embedded/${link.access_token}`}
            title="Preview of the embedded recording"
            className="h-70 w-full rounded-md border border-line"
          />
        </>
      )}
    </div>
  )
}
