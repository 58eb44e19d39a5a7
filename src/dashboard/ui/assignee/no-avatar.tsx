/** Stands where the initials of a member would. */
export function NoAvatar() {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-5 shrink-0 rounded-full border border-dashed border-edge"
    />
  )
}
