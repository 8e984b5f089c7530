//! Words that stand in names or beside them: titles, last words of places, capitalised words of general use.

use crate::proof::words::list::{WordList, words};

/// Words before a name that are not part of it.
pub static TITLES: WordList = words(
    "mr mrs ms miss dr prof professor sir dame lord lady rev reverend father sister mayor deputy vice acting \
     president chair chairman chairwoman chairperson councilmember councilman councilwoman councillor \
     councilor commissioner superintendent principal governor senator representative congressman \
     congresswoman judge justice sheriff chief captain lieutenant sergeant officer inspector detective \
     constable marshal general colonel major director manager engineer administrator clerk secretary minister \
     treasurer coach alderman supervisor trustee warden spokesman spokeswoman spokesperson attorney madam \
     head editor queen king prince princess pope bishop ceo cfo coo cto executive assistant associate town \
     cllr cllrs messrs drs professors mayors deputies presidents chairs councilmembers councilmen councilwomen \
     councillors councilors commissioners superintendents principals governors senators representatives judges \
     justices sheriffs captains lieutenants sergeants officers inspectors detectives constables generals \
     colonels directors engineers secretaries ministers aldermen supervisors trustees bishops \
     city county state finance fire police school board parks operations transportation staff",
);

/// Last words of names that are no person's.
pub static NO_PERSON: WordList = words(
    "street road lane avenue drive boulevard court square place way park hill hall bridge river creek lake \
     island bay beach county city town village district school schools elementary high college university \
     institute academy council board committee commission department office agency authority service services \
     fund trust foundation association society union club company co corporation inc ltd group bank hospital \
     center centre museum library church theater theatre hotel station house building market fair festival \
     day night week program programme project plan act bill study report journal news times post press review \
     states kingdom north south east west street's advisory baseball league team option ward item document \
     table figure section chapter district's recording minutes government party",
);

/// Capitalised words of general use that need no source.
pub static COMMON: WordList = words(
    "i i'm i'd i'll i've ok am pm tv internet christmas easter thanksgiving ramadan god bible earth english \
     american british european french german italian spanish dutch irish scottish welsh canadian australian \
     chinese japanese indian russian african asian mexican latin christian muslim jewish catholic democrat \
     democrats democratic republican republicans western eastern northern southern u.s us u.k uk eu un dna \
     ceo pdf faq footnotes sources",
);

pub fn is_title(word: &str) -> bool {
    TITLES.contains(word)
}

pub fn names_no_person(word: &str) -> bool {
    NO_PERSON.contains(word)
}

/// A folded word without its possessive.
pub fn base(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix('\'')).unwrap_or(word)
}
