"""How Korean notations are read: numerals, counters, letters, symbols, and words that only look like numerals.

Tables for people to read and extend, like those of `spoken_units.py`; `notations.py` has the rules that use them. In a
row the notation comes first and then its usual readings; the first one of these is the canonical one, whose syllables a
reference counts. The National Institute of Korean Language says that no regulation fixes how numbers are read, habit
does: so where two readings are in use, both are here. `VERSION` changes whenever a row of these files does, or a rule
by which notations are read, because rates may change then.
"""

import re

VERSION = "5"


def words(text: str) -> list[str]:
    """Returns the words of a text."""
    return text.split()


def table_rows(text: str) -> dict[str, list[str]]:
    """Returns the first word of each line, with the rest of the line.

    >>> table_rows("kg 킬로 킬로그램")
    {'kg': ['킬로', '킬로그램']}
    """
    rows = {}
    for line in text.strip().splitlines():
        name, *readings = line.split()
        rows[name] = readings
    return rows


DIGITS = "영일이삼사오육칠팔구"
MYRIADS = ("", "만", "억", "조", "경")

# 1 to 9 and 10 to 90 before a counter
NATIVE_ONES = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
NATIVE_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")

MONTHS = {6: "유", 10: "시"}

# particles that may follow one another behind a number, and those that end a word
FIRST_PARTICLES = words("씩 쯤 정도 짜리 마다 만 까지 부터 들 뿐")
LAST_PARTICLES = words("""
이 가 은 는 을 를 의 에 에서 에게 와 과 로 으로 도 나 이나 보다 처럼 만큼 에는 에도 로는 으로는 에서는
""")

# what may follow a number that stands alone, with the start of the next eojeol; these decide nothing but that it ends
PARTICLES = [
    *FIRST_PARTICLES,
    *LAST_PARTICLES,
    *words("대 님 입니다 이다 이에요 예요 이라는 이라고 이고 이며 인 이야 야 였다 이었다 였습니다 이었습니다"),
]

# of these the ones before which even one syllable is a number: no other word of one syllable is usual before them
CLEAR_PARTICLES = words("부터 까지 보다 입니다 이다 이에요 예요 이라는 이라고")

# approximate numbers: from, to, native readings before a counter, Sino-Korean ones
APPROXIMATE = {
    (1, 2): ["한두", "일이"],
    (2, 3): ["두세", "이삼"],
    (3, 4): ["서너", "세네", "삼사"],
    (2, 4): ["두서너"],
    (4, 5): ["네댓", "너덧", "네다섯", "너댓", "사오"],
    (5, 6): ["대여섯", "오륙", "오뉴"],
    (6, 7): ["예닐곱", "육칠"],
    (7, 8): ["일고여덟", "칠팔"],
    (8, 9): ["여덟아홉", "엳아홉", "팔구"],
}
APPROXIMATE_SINO = {pair: readings[-1] for pair, readings in APPROXIMATE.items() if pair[1] - pair[0] == 1}
APPROXIMATE_SINO[(5, 6)] = "오륙"

LETTERS = table_rows("""
A 에이
B 비
C 시 씨
D 디
E 이
F 에프
G 지 쥐
H 에이치 에치
I 아이
J 제이
K 케이
L 엘
M 엠
N 엔
O 오
P 피
Q 큐
R 아르 알
S 에스
T 티
U 유
V 브이
W 더블유 더블류
X 엑스
Y 와이
Z 제트 지 젯
α 알파
β 베타
γ 감마
π 파이
μ 뮤
Ω 옴
""")

# letters with another name in these words
NAMES_IN_WORDS = {"V": (["브이", "비"], re.compile(r"[A-Z]*TV[A-Z]?|DVD|VTR|VCR"))}

# English numerals, beside Latin letters and in offers (1+1)
ENGLISH_NUMERALS = table_rows("""
0 제로 오
1 원
2 투
3 쓰리 스리
4 포
5 파이브
6 식스
7 세븐
8 에이트 에잇
9 나인
10 텐
11 일레븐
12 트웰브
20 투엔티
""")

# between two numbers, also between others where the rules say so; "-" means that it is not read
JOINTS = table_rows("""
~ 에서 - 부터 내지 물결
- - 에 대 에서 다시 대시 빼기 마이너스
: 대 -
+ 더하기 플러스
× 곱하기
* 곱하기
÷ 나누기
= 은 는 이퀄
/ - 슬래시
· -
. - 닷 점
& 앤드 앤
@ 골뱅이 앳
""")

# not read, but a number with one of them is not that with the other
DIRECTIONS = {**dict.fromkeys("▲△↑⇧⬆", "up"), **dict.fromkeys("▼▽↓⇩⬇", "down")}

SYMBOLS = table_rows("""
# 샵 우물정
* 별표
√ 루트
no 넘버 노
(주) 주식회사
(유) 유한회사
(재) 재단법인
(사) 사단법인
vs 대 브이에스
""")

# days and years that are read digit by digit, "3.1" and "3·1" alike
NAMED_DAYS = frozenset(words("3.1 4.19 5.16 5.18 6.10 6.25 6.29 8.15 9.11 10.26 12.12 7.4 1.4 2.28 3.15 4.3 4.16"))

POWERS = {"²": ["의 제곱", "제곱"], "³": ["의 세제곱", "세제곱"], "⁴": ["의 네제곱", "의 사제곱", "네제곱"]}

# words of numeral syllables or letter names: a number or letter that stands alone never reads as one of these
WORDS = frozenset(
    words("""
천사 오이 사이 이사 일이 영구 공구 사만다 구이 일일 백이 천이 만이 사사 구구 일만 오만 이만 만일 이백 조사 이조 사조
오일 백일 천일 공사 공이 사공 공일 일조 오사 사구 십이지 공공 영영 공영 영공 영사 영일 영이
이보다 일보다 일입니 일예요 시일 시사 시구 이오 지구 지사 피구 유일 유사 비구 이일 이팔 지오
이유 에이 아이 비오 이지 유지 오지 유비 시유 이비 지시 시시 비유 오디 알지 오시 유시 디디 시오 지유
삼삼오오 아이디어 지지 알 이 비 씨 시 디 지 오 유 피 티 엔 네모 세제 세상 한국 한복 육지 백설 구름 팔찌
""")
)

# nouns before which digits are read one by one: 119구급대, 88올림픽, 63빌딩
DIGIT_NOUNS = words("""
구급대 소방대 신고 전화 상황실 번호 올림픽 월드컵 빌딩 여객기 전투기 고속도로 운동 전쟁 사태 혁명 항쟁 테러 체제
""")

# letters that are names, and read as a word only before these
NAMES_AND_WORDS = {"BG": re.compile("찌개|떡|죽|탕|[을를가] "), "CB": re.compile("(?:[를가]? ?[걸붙거]|조)")}

# Latin letters as numerals, where they stand as ones: before these counters, behind 제, and behind a name (수학 II)
_UNITS_OF_ROMAN = words("- I II III IV V VI VII VIII IX")
ROMAN_LETTERS = {
    (tens + ones).replace("-", ""): 10 * n_tens + n_ones
    for n_tens, tens in enumerate(("", "X", "XX", "XXX"))
    for n_ones, ones in enumerate(_UNITS_OF_ROMAN)
    if n_tens or n_ones
}
ROMAN_COUNTERS = frozenset(words("세 장 부 권 편 막 악장 절 호 번 기 과 조 번째 단계 세기"))

# nouns before which one letter is a letter: A형, B반
LETTER_NOUNS = words("""
형 반 조 급 등급 학점 팀 코스 동 구역 타입 메일 컵 매치 리그 라인 플랜 관 석 씨 양 군 사 안
언어 세대 셔츠 스포츠 턴 존 벨트 자형 커브 축 값 팝 램 염색체 클래스 시리즈 채널 노선 그룹 배터리 바이러스 항원 림프구
""")

# and those before which it is one if it is no word by itself, as in X선 and S대; in Y프 it may be the beginning of one
NOUNS_OF_LETTERS = words("""
선 레이 자 컷 펜 모델 버튼 키 파일 맨 빔 링 넥 보드 대학 대학교 대 병원 은행 뱅크 업체 기업 회사 회장 대표
교수 의원 부장 검사 판사 변호사 기자 선수 학교 고 중 아파트 단지 지점 지역 지구 시 호 호텔 마트 카드 페이 맵
앱 커머스 뷰티 푸드 방역 드라마 콘텐츠 게임 스타 세포 간염 수지 함수 점 좌표 집합 행렬 변수 상수 계수 검정 분포
플립 폴드 패드 북 오일 정 군도 국 도
""")
