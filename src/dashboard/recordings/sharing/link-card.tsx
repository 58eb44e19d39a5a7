import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { Secret } from '../../ui/secret.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { counted } from '../../format/amount.ts'
import { usePreferences } from '../../format/preferences.ts'
import { draftOf, partInWords, showsInWords, type ShownLink } from './link-draft.ts'
import { LinkSettings, type LinkSettingsProps } from './link-settings.tsx'
import { shownWith } from '../../../contract/recordings/recording-rules.ts'
import { sharedLink } from './shared-link.ts'
import { Icon } from '../../ui/icon.tsx'
import { copyText } from '../../ui/feedback/toasts.ts'

type LinkCardProps = Pick<LinkSettingsProps, 'busy' | 'onSave'> & {
  link: ShownLink
  /** Buttons that change the link as a whole. */
  children?: ReactNode
}

/** A link that works: its URL, what it shows, its views, its settings and the code to embed it. */
export function LinkCard({ link, children, ...settings }: LinkCardProps) {
  const { zone } = usePreferences()
  const [open, setOpen] = useState<'Settings' | 'Embed' | null>(null)
  const saved = draftOf(link, zone)
  const hasPassword = link.password_required
  return (
    <div className="flex flex-col gap-2.5">
      {link.label && <h4 className="font-medium wrap-anywhere">{link.label}</h4>}
      <Secret label="Link" value={sharedLink(link)} />
      <Facts link={link} />
      <div className="flex flex-wrap items-center gap-2">
        {(['Settings', 'Embed'] as const).map((part) => {
          const toggle = () => setOpen(open === part ? null : part)
          return (
            <Button key={part} aria-expanded={open === part} onClick={toggle}>
              {part}
            </Button>
          )
        })}
        {children}
      </div>
      {open === 'Settings' && (
        <div className="border-t border-line pt-3">
          <LinkSettings key={JSON.stringify(saved)} {...{ saved, hasPassword, ...settings }} />
        </div>
      )}
      {open === 'Embed' && <EmbedCode link={link} />}
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
      {expiry !== null && (hasExpired ? ' · Expired ' : ' · Expires ')}
      {expiry !== null && <RelativeTime time={expiry} />} · {counted(views, 'view')}
      {viewed !== null && ', the last '}
      {viewed !== null && <RelativeTime time={viewed} />}
    </p>
  )
}

/** The HTML that embeds a shared recording, and how the result looks. */
function EmbedCode({ link }: { link: { access_token: string } }) {
  const [isShown, setIsShown] = useState(false)
  const path = `/embedded/${link.access_token}`
  const code = `<iframe src="${location.origin}${path}" title="Recording" width="100%" height="540" style="border: 0" allowfullscreen></iframe>`
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
            src={path}
            title="Preview of the embedded recording"
            className="h-70 w-full rounded-md border border-line"
          />
        </>
      )}
    </div>
  )
}
