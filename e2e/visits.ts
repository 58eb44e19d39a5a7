/** One visit to the demo shop. */
export type Visit = {
  /** Describes the visit in the sample's manifest. */
  story: string
  name: string
  email: string
  screen: Screen
  /** Steps as `visit-steps.ts` defines them, each with its argument. */
  steps: string[]
}

export const screens = {
  wide: { width: 1280, height: 800 },
  narrow: { width: 1024, height: 700 },
  phone: { width: 390, height: 844 },
}

type Screen = keyof typeof screens

/** One visit per line, oldest first: story, name, screen and steps. */
const screenplay = `
Buys the arc lamp at once | Noor Bakker | wide | look 6; add Arc floor lamp; cart; checkout; pay
Looks at the lamps and leaves | Emil Dahl | wide | look 5; go Lamps; look 6; scroll 360; see Globe pendant; back; look 4; see Reading lamp; look 6
Leaves after the first page | Paula Novak | phone | look 9; scroll 720; look 8
Redeems a coupon that fails, and leaves | Chiara Rossi | wide | look 4; go Fabrics; look 5; add Velvet, ochre; cart; redeem SUMMER-1234; redeem SUMMER-1234; look 6
Subscribes to the newsletter | Yara Visser | phone | look 6; scroll 960; subscribe
Finds linen by searching | Lena Fischer | wide | look 3; search linen; look 4; add Linen, natural; cart; look 8
Rage-clicks the wishlist | Mateo Garcia | wide | look 4; go Lamps; see Table lamp; rage click Wishlist; look 5; rage click Wishlist; look 3
Signs in and buys two things | Ada Adler | wide | sign in; go Lamps; look 5; add Reading lamp; go Fabrics; add Wool felt; cart; checkout; pay
Waits for the delivery costs in vain | Henrik Larsen | narrow | go Lamps; add Paper shade; cart; work out delivery 2200; look 6; work out delivery 2200; look 4
Leaves the checkout half filled in | Ines Costa | wide | look 5; add Globe pendant; cart; checkout; address; look 22; card 4000 12; wait 35
Is away for minutes, then buys | Jonas Weber | wide | look 4; go Lamps; see Arc floor lamp; wait 280; look 4; press Add to cart; cart; checkout; pay
Compares fabrics by price | Maja Kowalski | narrow | look 3; go Fabrics; look 4; sort cheap; sort dear; see Wool felt; back; see Linen, natural; look 9
Redeems a coupon that fails, and buys anyway | Oskar Haas | wide | add Arc floor lamp; cart; redeem SUMMER-8841; look 5; checkout; pay
Finds nothing | Vera Zimmer | phone | look 3; search chandelier; look 6; search sconce; look 7
Reads about delivery and care | Luca Marino | wide | look 4; see Linen, natural; unfold Delivery and returns; look 9; unfold Care; look 8
Buys on the phone | Sofia Santos | phone | look 5; scroll 480; add Globe pendant; cart; checkout; pay
Looks at the lamps and leaves | Nils Eriksen | narrow | look 4; go Lamps; look 5; scroll 300; see Table lamp; back; look 3; see Paper shade; look 8
Signs in and looks around | Ida Hansen | wide | sign in; look 4; go Fabrics; look 6; scroll 300; look 3
Redeems three coupons that fail | Pavel Horvat | wide | look 3; go Lamps; add Reading lamp; cart; redeem SUMMER-1299; redeem WELCOME-10; redeem LETTER-77310; look 6
Comes back and buys more | Noor Bakker | wide | sign in; go Fabrics; add Linen, natural; back; look 3; cart; checkout; pay
Leaves after the first page | Rosa Lopez | wide | look 11; scroll 400; look 6
Leaves the checkout half filled in | Samir Demir | narrow | go Lamps; add Table lamp; cart; work out delivery 10115; checkout; address; look 18; back; look 6
Rage-clicks the wishlist | Greta Lang | wide | look 3; see Arc floor lamp; rage click Wishlist; look 4; back; look 5
Fills the cart, empties it and leaves | Finn Jansen | wide | add Globe pendant; go Fabrics; add Velvet, ochre; cart; press Remove Globe pendant; look 4; press Remove Velvet, ochre; look 7
Buys velvet for curtains | Elif Yilmaz | wide | look 4; go Fabrics; look 4; add Velvet, ochre; cart; checkout; pay
Subscribes to the newsletter | Kaito Tanaka | wide | look 8; scroll 840; subscribe; scroll -840; look 5
Is away for minutes, then leaves | Dario Bianchi | wide | look 4; go Lamps; see Reading lamp; wait 410; look 5
Finds a lamp by searching and buys it | Mila Petit | narrow | search brass; look 4; add Reading lamp; cart; checkout; pay
Waits for the delivery costs, and buys | Tomas Kovac | wide | go Fabrics; add Wool felt; cart; work out delivery 81000; checkout; pay
Redeems a coupon that fails, and leaves | Anouk Dubois | wide | look 3; add Linen, natural; cart; redeem SUMMER-2077; look 9
Looks at the lamps and leaves | Amir Silva | wide | look 5; go Lamps; look 4; scroll 300; see Arc floor lamp; back; look 3; see Globe pendant; look 5
Leaves after the first page | Zoe Martin | narrow | look 13; scroll 500; look 5
Browses the whole shop for a long time | Julia Meyer | wide | look 6; go Lamps; look 5; see Globe pendant; back; see Paper shade; back; see Table lamp; look 12; go Fabrics; look 6; see Velvet, ochre; back; see Wool felt; look 14; scroll 600; look 8
Signs in and buys two things | Emma Klein | wide | sign in; go Lamps; look 4; add Table lamp; go Fabrics; add Linen, natural; cart; checkout; pay
Rage-clicks a broken button | Ivan Popescu | wide | go Lamps; add Paper shade; cart; redeem SUMMER-4510; rage click Redeem; look 4
Finds linen by searching | Leo Ferrari | wide | look 4; search linen; look 3; add Linen, natural; cart; look 6
Buys felt in a hurry | Hana Ito | wide | go Fabrics; add Wool felt; cart; checkout; pay
Leaves the checkout half filled in | Bela Varga | wide | look 3; go Lamps; add Arc floor lamp; cart; redeem SUMMER-9913; checkout; address; wait 48; card 4000 1234; look 6
Reads about delivery and care | Olga Visser | narrow | look 5; see Arc floor lamp; unfold Delivery and returns; look 12; press Add to cart; look 4
Is still choosing | Carla Berg | wide | look 5; go Lamps; look 6; add Reading lamp; cart; redeem SUMMER-5120; look 5; go Fabrics; look 12; stay`

export const visits: readonly Visit[] = screenplay.trim().split('\n').map(readVisit)

function readVisit(line: string): Visit {
  const [story = '', name = '', screen = '', steps = ''] = line.split(' | ')
  if (!isScreen(screen)) throw new Error(`unknown screen in: ${line}`)
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`
  return { story, name, email, screen, steps: steps.split('; ') }
}

function isScreen(word: string): word is Screen {
  return Object.hasOwn(screens, word)
}
