import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { Secret } from '../../ui/secret.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { counted } from '../../format/amount.ts'
import { usePreferences } from '../../format/preferences.ts'
import { draftOf, type changesOf, type ShownLink } from './link-draft.ts'
import { LinkSettings } from './link-settings.tsx'
import { shownWith } from '../../../contract/recordings/sharing.ts'
import { partInWords, showsInWords } from './link-words.ts'
import { sharedLink, embedCode } from './shared-link.ts'
import { Icon } from '../../ui/icon.tsx'
import { copyText } from '../../ui/feedback/toasts.ts'

type LinkCardProps = {
  link: ShownLink
  /** The player's position, in seconds since the start; undefined without a player. */
  at: number | undefined
  reason: string | null
  busy: boolean
  onSave: (changes: ReturnType<typeof changesOf>) => void
  /** Buttons that change the link as a whole. */
  children?: ReactNode
}

/** A link that works: its URL, what it shows, its views, its settings and the code to embed it. */
export function LinkCard({ link, at, reason, busy, onSave, children }: LinkCardProps) {
  const { zone } = usePreferences()
  const [open, setOpen] = useState<'settings' | 'embed' | null>(null)
  const toggle = (part: 'settings' | 'embed') => setOpen(open === part ? null : part)
  const saved = draftOf(link, zone)
  return (
    <div className="flex flex-col gap-2.5">
      {link.label && <h4 className="font-medium wrap-anywhere">{link.label}</h4>}
      <Secret label="Link" value={sharedLink(link)} />
      <Facts link={link} />
      <div className="flex flex-wrap items-center gap-2">
        <Button aria-expanded={open === 'settings'} onClick={() => toggle('settings')}>
          Settings
        </Button>
        <Button aria-expanded={open === 'embed'} onClick={() => toggle('embed')}>
          Embed
        </Button>
        {children}
      </div>
      {open === 'settings' && (
        <div className="border-t border-line pt-3">
          <LinkSettings
            key={JSON.stringify(saved)}
            saved={saved}
            hasPassword={link.password_required}
            {...{ at, reason, busy, onSave }}
          />
        </div>
      )}
      {open === 'embed' && <EmbedCode link={link} />}
    </div>
  )
}

/** What visitors get, and how often they came. */
function Facts({ link }: Pick<LinkCardProps, 'link'>) {
  const { masks, password_required: isLocked, expires_at: expiry, views, last_viewed_at: viewed } = link
  const hasExpired = useNow((now) => expiry !== null && Date.parse(expiry) <= now)
  const parts = [
    partInWords(link),
    showsInWords[shownWith(link)],
    link.names && 'With names',
    masks.length > 0 && counted(masks.length, 'hidden part'),
    isLocked && 'With a password',
  ].filter(Boolean)
  return (
    <p className="text-xs text-ink-2">
      {parts.join(' · ')}
      {expiry !== null && (
        <>
          {' · '}
          {hasExpired ? 'Expired' : 'Expires'} <RelativeTime time={expiry} />
        </>
      )}
      {' · '}
      {counted(views, 'view')}
      {viewed !== null && (
        <>
          , the last <RelativeTime time={viewed} />
        </>
      )}
    </p>
  )
}

/** The HTML that embeds a shared recording, and how the result looks. */
function EmbedCode({ link }: { link: { access_token: string } }) {
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
